import type { MapPlace, Section, SheetContent, SheetPicture } from './content.js';
import {
  colors,
  drawLine,
  drawRule,
  edgeOf,
  firstLines,
  need,
  newPage,
  openSheet,
  type PageColumn,
  PageLimit,
  type PdfPages,
} from './pages.js';
import { cleanText, type TextLine, type TextStyle, wrappedLines } from './text.js';

const styles = {
  over: { size: 8.5, weight: 400, color: colors.soft, leading: 13 },
  title: { size: 22, weight: 600, color: colors.ink, leading: 29 },
  heading: { size: 11.5, weight: 600, color: colors.ink, leading: 17 },
  label: { size: 9, weight: 400, color: colors.soft, leading: 15 },
  value: { size: 10, weight: 400, color: colors.ink, leading: 15 },
  small: { size: 8, weight: 400, color: colors.soft, leading: 12 },
  bar: { size: 7.5, weight: 600, color: colors.ink, leading: 10 },
} as const satisfies Record<string, TextStyle>;

export interface SheetLimits {
  maxPages: number;
  fontFolder: string;
}

/**
 * Lays out a feature sheet as a complete PDF document, to be read to its end. Content beyond the page limit is left out,
 * and a sign marks that.
 */
export function setFeatureSheet(content: SheetContent, limits: SheetLimits): PDFKit.PDFDocument {
  const title = cleanText(content.title).replaceAll('\n', ' ');
  const sheet = openSheet({
    ...limits,
    title: title.slice(0, 300),
    lng: content.lng,
    isRtl: content.isRtl,
    isLandscape: content.place?.isLandscape ?? false,
  });
  let isCut = false;
  try {
    setHead(sheet, content, title);
    if (content.place) setMap(sheet, content.place);
    for (const section of content.sections) setSection(sheet, section);
    setPictures(sheet, content.pictures);
  } catch (error) {
    if (!(error instanceof PageLimit)) throw error;
    isCut = true;
  }
  setMargins(sheet, content, { title, isCut });
  sheet.doc.end();
  return sheet.doc;
}

function setHead(sheet: PdfPages, { map, layer }: SheetContent, title: string): void {
  const column: PageColumn = { from: 0, width: sheet.width };
  const write = (text: string, style: TextStyle, most: number): void => {
    for (const line of firstLines(sheet, text, style, { width: sheet.width, most })) {
      drawLine(sheet, line, style, { ...column, y: sheet.y });
      sheet.y += style.leading;
    }
  };
  write(oneLine([map, layer].filter(Boolean).join('  ·  ')), styles.over, 1);
  sheet.y += 3;
  write(title, styles.title, 4);
  sheet.y += 10;
}

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ');

function setMap(sheet: PdfPages, place: MapPlace): void {
  const { doc, left, width } = sheet;
  const height = width * place.ratio;
  doc.image(Buffer.from(place.picture), left, sheet.y, { width, height });
  setBar(sheet, place, sheet.y + height);
  doc.rect(left, sheet.y, width, height).lineWidth(0.5).strokeColor('#b9c0c9').stroke();
  sheet.y += height + 4;
  for (const line of firstLines(sheet, place.centre, styles.small, { width, most: 1 })) {
    drawLine(sheet, line, styles.small, { from: 0, width, y: sheet.y, align: 'end' });
  }
  sheet.y += styles.small.leading + 8;
}

/** Draws the scale bar on a light ground, at the lower left of the map. */
function setBar({ doc, fonts, left, width }: PdfPages, { bar }: MapPlace, bottom: number): void {
  const long = bar.part * width;
  const [label] = wrappedLines(bar.label, styles.bar, { width: 400, fonts });
  const ground = { width: Math.max(long, label!.width) + 14, height: 23 };
  const [x, y] = [left + 7, bottom - ground.height - 7];
  doc.rect(x, y, ground.width, ground.height).fillOpacity(0.86).fill('#ffffff').fillOpacity(1);
  const [from, base] = [x + 7, y + 17];
  doc
    .moveTo(from, base - 4)
    .lineTo(from, base)
    .lineTo(from + long, base)
    .lineTo(from + long, base - 4);
  doc.lineWidth(1.1).strokeColor(colors.ink).stroke();
  const flat = { doc, fonts, left: 0, width: 0, isRtl: false } as PdfPages;
  drawLine(flat, label!, styles.bar, { from: from + 3, width: long, y: y + 3 });
}

/** Width of the label column as a share of the page, and the gap between columns in points. */
const labelPart = 0.3;
const gutter = 14;
/** Lines of a field that stay on one page. */
const keptLines = 6;

function setSection(sheet: PdfPages, { heading, rows }: Section): void {
  sheet.y += 8;
  need(sheet, (heading === null ? 0 : styles.heading.leading + 5) + 2 * styles.value.leading + 8);
  if (heading !== null) {
    for (const line of firstLines(sheet, heading, styles.heading, { width: sheet.width, most: 2 })) {
      drawLine(sheet, line, styles.heading, { from: 0, width: sheet.width, y: sheet.y });
      sheet.y += styles.heading.leading;
    }
    sheet.y += 4;
  }
  for (const row of rows) setRow(sheet, row);
  drawRule(sheet, sheet.y);
  sheet.y += 6;
}

function setRow(sheet: PdfPages, row: Section['rows'][number]): void {
  const { leading } = styles.value;
  const labels: PageColumn = { from: 0, width: labelPart * sheet.width - gutter };
  const values: PageColumn = { from: labelPart * sheet.width, width: sheet.width * (1 - labelPart) };
  const label = firstLines(sheet, oneLine(row.label), styles.label, { width: labels.width, most: 4 });
  const lines = wrappedLines(row.value, styles.value, { width: values.width, fonts: sheet.fonts });
  const first = take(lines, keptLines);
  const rowLines = Math.max(label.length, first.length < keptLines ? first.length : 2);
  need(sheet, rowLines * leading + 8);
  drawRule(sheet, sheet.y);
  sheet.y += 4;
  const start = sheet.y;
  for (const [i, line] of label.entries())
    drawLine(sheet, line, styles.label, { ...labels, y: start + i * leading });
  const isShort = first.length === 1;
  const write = (line: TextLine): void => {
    if (sheet.y + leading > sheet.bottom) newPage(sheet);
    const align = isShort ? {} : { align: line.isRtl ? ('right' as const) : ('left' as const) };
    drawLine(sheet, line, styles.value, { ...values, ...align, y: sheet.y });
    sheet.y += leading;
  };
  const page = sheet.pages;
  for (const line of first) write(line);
  for (const line of lines) write(line);
  if (sheet.pages === page) sheet.y = Math.max(sheet.y, start + label.length * leading);
  sheet.y += 4;
}

/** Takes the next `count` values of an iterator. */
function take<T>(source: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = source.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Maximum heights in points: one picture takes the page's width, several take two columns. */
const highest = { one: 330, several: 210 };

function setPictures(sheet: PdfPages, pictures: readonly SheetPicture[]): void {
  if (!pictures.length) return;
  sheet.y += 10;
  const columns = pictures.length === 1 ? 1 : 2;
  const width = (sheet.width - (columns - 1) * gutter) / columns;
  const high = columns === 1 ? highest.one : highest.several;
  for (let at = 0; at < pictures.length; at += columns) {
    const row = pictures.slice(at, at + columns).map((picture) => {
      const factor = Math.min(width / picture.width, high / picture.height);
      return { picture, width: picture.width * factor, height: picture.height * factor };
    });
    const height = Math.max(...row.map((fitted) => fitted.height));
    need(sheet, height + 20);
    for (const [i, fitted] of row.entries()) {
      const column: PageColumn = { from: i * (width + gutter), width };
      setPicture(sheet, fitted, column, height);
    }
    sheet.y += height + 24;
  }
}

function setPicture(
  sheet: PdfPages,
  fitted: { picture: SheetPicture; width: number; height: number },
  column: PageColumn,
  height: number,
): void {
  const { picture } = fitted;
  const x = edgeOf(sheet, { from: column.from, width: fitted.width });
  sheet.doc.image(Buffer.from(picture.bytes), x, sheet.y, { width: fitted.width, height: fitted.height });
  for (const line of firstLines(sheet, oneLine(picture.name), styles.small, { width: column.width, most: 1 }))
    drawLine(sheet, line, styles.small, { ...column, y: sheet.y + height + 3 });
}

/** Writes the footer of each page, and the header of all pages after the first. */
function setMargins(
  sheet: PdfPages,
  { map, layer, date }: SheetContent,
  { title, isCut }: { title: string; isCut: boolean },
): void {
  const { width } = sheet;
  const write = (text: string, column: PageColumn, placing: { y: number; align?: 'end' }): void => {
    for (const line of firstLines(sheet, oneLine(text), styles.small, { width: column.width, most: 1 }))
      drawLine(sheet, line, styles.small, { ...column, ...placing });
  };
  for (let page = 0; page < sheet.pages; page++) {
    sheet.doc.switchToPage(page);
    const y = sheet.bottom + 24;
    drawRule(sheet, y - 6);
    write([map, layer].join('  ·  '), { from: 0, width: 0.55 * width }, { y });
    write(date, { from: 0.55 * width, width: 0.3 * width }, { y, align: 'end' });
    write(`${page + 1} / ${sheet.pages}`, { from: 0.85 * width, width: 0.15 * width }, { y, align: 'end' });
    if (page > 0) write(title, { from: 0, width }, { y: 30 });
    if (isCut && page === sheet.pages - 1)
      write('[…]', { from: labelPart * width, width: 100 }, { y: sheet.bottom + 2 });
  }
}

import PDFDocument from 'pdfkit';
import { type FontDocument, type Fonts, openFonts } from './fonts.js';
import { linesOf, type TextLine, type TextStyle } from './text.js';

/** Points: A4, and the margins of print. */
const a4 = { short: 595.28, long: 841.89 };
const margin = { side: 56.7, top: 54, bottom: 68 };

export const colors = { ink: '#16191d', soft: '#69717c', rule: '#dfe3e8' } as const;

/** The pages of a document while it is being set, from top to bottom. */
export interface Sheet {
  doc: PDFKit.PDFDocument;
  fonts: Fonts;
  /** Whether lines begin at the right. */
  isRtl: boolean;
  mostPages: number;
  pages: number;
  /** Points: the left edge and the width of what is printed, and its lower end. */
  left: number;
  width: number;
  bottom: number;
  /** How far the page is filled, from its upper edge. */
  y: number;
}

/** Thrown when a document would have more pages than it may. */
export class PageLimit extends Error {}

export interface SheetOptions {
  title: string;
  lng: string;
  isRtl: boolean;
  isLandscape: boolean;
  mostPages: number;
  fontFolder: string;
}

/** An empty document with its first page. */
export function openSheet(options: SheetOptions): Sheet {
  const { isLandscape, isRtl, mostPages } = options;
  const [width, height] = isLandscape ? [a4.long, a4.short] : [a4.short, a4.long];
  const doc = new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    size: [width, height],
    margin: 0,
    lang: options.lng,
    displayTitle: true,
    info: { Title: options.title, Creator: 'Cartulary', Producer: 'Cartulary' },
  });
  const fonts = openFonts(doc as unknown as FontDocument, options.fontFolder);
  const sheet: Sheet = {
    doc,
    fonts,
    isRtl,
    mostPages,
    pages: 0,
    left: margin.side,
    width: width - 2 * margin.side,
    bottom: height - margin.bottom,
    y: 0,
  };
  newPage(sheet);
  return sheet;
}

export function newPage(sheet: Sheet): void {
  if (sheet.pages >= sheet.mostPages) throw new PageLimit();
  sheet.doc.addPage();
  sheet.pages++;
  sheet.y = margin.top;
}

/** Begins a new page unless `height` points are left on this one. */
export function need(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.bottom && sheet.y > margin.top) newPage(sheet);
}

/** A column of the page: where it begins, from the side where lines begin, and how wide it is. */
export interface Column {
  from: number;
  width: number;
}

/** The left edge of a column. */
export const edgeOf = ({ left, width, isRtl }: Sheet, column: Column): number =>
  isRtl ? left + width - column.from - column.width : left + column.from;

export interface Placing extends Column {
  /** Upper edge of the line. */
  y: number;
  /** At which side of its column the line stands: where lines begin when absent. */
  align?: 'left' | 'right' | 'end';
}

/** Where the baseline lies, in parts of the leading: there is room for the high letters of any script. */
const baseline = 0.74;

/** Draws a line of text. */
export function drawLine(sheet: Sheet, line: TextLine, style: TextStyle, placing: Placing): void {
  const { doc, isRtl } = sheet;
  const { align = isRtl ? 'right' : 'left' } = placing;
  const isRight = align === 'end' ? !isRtl : align === 'right';
  let x = edgeOf(sheet, placing) + (isRight ? placing.width - line.width : 0);
  doc.fillColor(style.color);
  for (const piece of line.pieces) {
    doc
      .font(piece.face.name)
      .fontSize(style.size)
      .text(piece.text, x, placing.y + style.leading * baseline, {
        lineBreak: false,
        baseline: 'alphabetic',
        // With features, be they none, the text is shaped as one piece and not word by word.
        ...(piece.isRtl ? { features: [] } : {}),
      });
    x += piece.width;
  }
}

/** The first lines of a text; the last ends with an ellipsis where there are more. */
export function firstLines(
  sheet: Sheet,
  text: string,
  style: TextStyle,
  { width, most }: { width: number; most: number },
): TextLine[] {
  const setting = { width, fonts: sheet.fonts };
  const lines: TextLine[] = [];
  for (const line of linesOf(text, style, setting)) {
    if (lines.length === most) {
      const [dots] = linesOf('…', style, setting);
      const last = lines.at(-1)!;
      if (last.width + dots!.width > width) last.pieces.splice(last.isRtl ? 0 : -1, 1);
      const pieces = last.isRtl ? [...dots!.pieces, ...last.pieces] : [...last.pieces, ...dots!.pieces];
      const sum = pieces.reduce((total, piece) => total + piece.width, 0);
      lines.splice(-1, 1, { ...last, pieces, width: sum });
      break;
    }
    lines.push(line);
  }
  return lines;
}

/** A hairline across the page, or across a column. */
export function drawRule(sheet: Sheet, y: number, column: Column = { from: 0, width: sheet.width }): void {
  const x = edgeOf(sheet, column);
  sheet.doc
    .moveTo(x, y)
    .lineTo(x + column.width, y)
    .lineWidth(0.5)
    .strokeColor(colors.rule)
    .stroke();
}

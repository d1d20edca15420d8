import PDFDocument from 'pdfkit';
import { type FontDocument, type Fonts, openDocumentFonts } from './fonts.js';
import { type TextLine, type TextStyle, wrappedLines } from './text.js';

/** A4 and the margins, points. */
const a4 = { short: 595.28, long: 841.89 };
const margin = { side: 56.7, top: 54, bottom: 68 };

export const colors = { ink: '#16191d', soft: '#69717c', rule: '#dfe3e8' } as const;

/** The pages of a document during its layout, from top to bottom. */
export interface PdfPages {
  doc: PDFKit.PDFDocument;
  fonts: Fonts;
  /** Whether lines begin at the right. */
  isRtl: boolean;
  maxPages: number;
  pages: number;
  /** Left edge, width and lower end of the printed area, points. */
  left: number;
  width: number;
  bottom: number;
  /** Position of the next content, from the upper edge of the page. */
  y: number;
}

/** Thrown when a document would exceed its page limit. */
export class PageLimit extends Error {}

export interface SheetOptions {
  title: string;
  lng: string;
  isRtl: boolean;
  isLandscape: boolean;
  maxPages: number;
  fontFolder: string;
}

/** Opens a document with an empty first page. */
export function openSheet(options: SheetOptions): PdfPages {
  const { isLandscape, isRtl, maxPages: mostPages } = options;
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
  const fonts = openDocumentFonts(doc as unknown as FontDocument, options.fontFolder);
  const sheet: PdfPages = {
    doc,
    fonts,
    isRtl,
    maxPages: mostPages,
    pages: 0,
    left: margin.side,
    width: width - 2 * margin.side,
    bottom: height - margin.bottom,
    y: 0,
  };
  newPage(sheet);
  return sheet;
}

export function newPage(sheet: PdfPages): void {
  if (sheet.pages >= sheet.maxPages) throw new PageLimit();
  sheet.doc.addPage();
  sheet.pages++;
  sheet.y = margin.top;
}

/** Begins a new page unless `height` points are left. */
export function need(sheet: PdfPages, height: number): void {
  if (sheet.y + height > sheet.bottom && sheet.y > margin.top) newPage(sheet);
}

/** A column of the page: distance from the side where lines begin, and width. */
export interface PageColumn {
  from: number;
  width: number;
}

/** The left edge of a column. */
export const edgeOf = ({ left, width, isRtl }: PdfPages, column: PageColumn): number =>
  isRtl ? left + width - column.from - column.width : left + column.from;

export interface Placing extends PageColumn {
  /** Upper edge of the line. */
  y: number;
  /** Side of the column at which the line stands; default: where lines begin. */
  align?: 'left' | 'right' | 'end';
}

/** Position of the baseline as a share of the leading; the tall letters of any script fit. */
const baseline = 0.74;

/** Draws a line of text. */
export function drawLine(sheet: PdfPages, line: TextLine, style: TextStyle, placing: Placing): void {
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
        // With features (even an empty list), pdfkit shapes the text as one piece, not word by word.
        ...(piece.isRtl ? { features: [] } : {}),
      });
    x += piece.width;
  }
}

/** The first lines of a text; the last ends with an ellipsis when lines are left out. */
export function firstLines(
  sheet: PdfPages,
  text: string,
  style: TextStyle,
  { width, most }: { width: number; most: number },
): TextLine[] {
  const setting = { width, fonts: sheet.fonts };
  const lines: TextLine[] = [];
  for (const line of wrappedLines(text, style, setting)) {
    if (lines.length === most) {
      const [dots] = wrappedLines('…', style, setting);
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

/** Draws a hairline across the page, or across a column. */
export function drawRule(
  sheet: PdfPages,
  y: number,
  column: PageColumn = { from: 0, width: sheet.width },
): void {
  const x = edgeOf(sheet, column);
  sheet.doc
    .moveTo(x, y)
    .lineTo(x + column.width, y)
    .lineWidth(0.5)
    .strokeColor(colors.rule)
    .stroke();
}

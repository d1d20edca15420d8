import type { LegendPart } from './legends.js';

interface Font {
  size: number;
  weight: number;
  family: string;
}

export const titleFont: Font = { size: 32, weight: 600, family: 'serif' };
export const legendFont: Font = { size: 16, weight: 400, family: 'system-ui, sans-serif' };

/** Height of a line of the legend, and of the space around an entry, units of the sheet. */
const lineHeight = 20;
const entryGap = 8;
const columnGap = 24;
const columns = 3;

export interface PlacedEntry {
  x: number;
  y: number;
  lines: string[];
  isTitle: boolean;
  icon: string | null;
}

const canvas = document.createElement('canvas').getContext('2d')!;

/** Breaks a text between words into lines of at most `width`. A longer word has a line of its own. */
export function wrapped(text: string, width: number, font: Font): string[] {
  canvas.font = `${font.weight} ${font.size}px ${font.family}`;
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && canvas.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Places the legends in columns of about equal height. A legend is divided only when it is higher than a column. */
export function arrange(
  legends: readonly LegendPart[],
  width: number,
): { entries: PlacedEntry[]; height: number } {
  const columnWidth = (width - (columns - 1) * columnGap) / columns;
  const rows = legends.flatMap((part) => {
    const isTitle = part.kind === 'title';
    const lines = wrapped(part.text, columnWidth - (isTitle ? 0 : 36), legendFont);
    return [{ lines, isTitle, icon: part.icon, height: Math.max(lines.length * lineHeight, 26) + entryGap }];
  });
  const total = rows.reduce((sum, { height }) => sum + height, 0);
  const limit = Math.max(total / columns, ...rows.map(({ height }) => height));
  let [column, y, highest] = [0, 0, 0];
  const entries = rows.map(({ lines, isTitle, icon, height }) => {
    if (y > 0 && y + height / 2 > limit && column < columns - 1) [column, y] = [column + 1, 0];
    const entry = { x: column * (columnWidth + columnGap), y, lines, isTitle, icon };
    y += height;
    highest = Math.max(highest, y);
    return entry;
  });
  return { entries, height: highest };
}

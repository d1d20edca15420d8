import type { ObjectRow } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { geometryNote } from '../own-exports/own-sheets.js';
import type { OutField } from './fields.js';

/** A date as a spreadsheet serial number: days since 1899-12-30 in UTC, with the time as fraction. */
export interface Moment {
  days: number;
}

export type SheetCell = string | number | boolean | Moment | null;

/** Maximum UTF-16 units of the text in a cell: https://support.microsoft.com/en-us/office/1672b34d-7043-467e-8e27-269d656771c3 */
const cellLimit = 32_767;

/** Maximum UTF-16 units of a text in a cell, by format. */
export type TextLimit = (text: string) => number;

const dayMs = 86_400_000;
const epochMs = Date.UTC(1899, 11, 30);
/** Spreadsheets number earlier days differently, because some have a 29 February 1900. */
const earliestDay = 61;
/** 9999-12-31, the last day of spreadsheets; some do not support its hours. */
const latestDay = 2_958_465;

/** Converts ISO 8601 to a date; unchanged if spreadsheets cannot represent it. */
export function momentOf(iso: string): Moment | string {
  const days = (Date.parse(iso) - epochMs) / dayMs;
  return days >= earliestDay && days <= latestDay ? { days } : iso;
}

export interface CellWriter {
  /** Names of the columns. These are the codes, not the titles, because an import identifies columns by code. */
  header: string[];
  of(row: ObjectRow): SheetCell[];
  /** Rows with the pieces of texts that exceed a cell, under a header of their own; empty if there are none. */
  rest(): SheetCell[][];
}

export interface CellRules {
  /** Whether all geometries are points without height. */
  hasPoints: boolean;
  /** Whether readers of the format preserve line breaks. */
  keepsBreaks: boolean;
  /** Maximum length of texts; absent: that of a cell. */
  limitOf?: TextLimit | undefined;
}

/** Maximum characters of long texts that are kept until the end. */
const mostCharacters = 32 * 1024 * 1024;

/**
 * Makes the cells of objects, whose geometries are WKT: `svc_id`, the columns, and `geom`, or with `hasPoints` longitude
 * and latitude as `x` and `y`. A text that exceeds a cell is cut there, and complete in `rest`. A geometry that exceeds
 * a cell is replaced by a placeholder, since its beginning would be another geometry.
 */
export function createCells(
  fields: readonly OutField[],
  { hasPoints, keepsBreaks, limitOf = () => cellLimit }: CellRules,
): CellWriter {
  const isTaken = fields.some(({ key }) => key === 'x' || key === 'y');
  const xy = hasPoints && !isTaken;
  const long: { id: number; code: string; text: string }[] = [];
  const counts = { kept: 0, lost: 0 };
  const keep = (id: number, code: string, text: string): void => {
    counts.kept += text.length;
    if (counts.kept <= mostCharacters) long.push({ id, code, text });
    else counts.lost++;
  };
  const textCell = (id: number, code: string, text: string): string => {
    const limit = limitOf(text);
    if (text.length <= limit && (keepsBreaks || !text.includes('\r\n'))) return text;
    keep(id, code, text);
    return text.slice(0, wholeEnd(text, limit));
  };
  const geomCell = (id: number, wkt: string | null): SheetCell => {
    if (wkt === null || wkt.length <= limitOf(wkt)) return wkt;
    keep(id, 'geom', wkt);
    return geometryNote(wkt);
  };
  return {
    header: ['svc_id', ...fields.map(({ key }) => key), ...(xy ? ['x', 'y'] : ['geom'])],
    of: ({ id, geom, values }) => {
      const cells = fields.map(({ key, type, value }): SheetCell => {
        const own = value(values) as string | number | boolean | null;
        if (typeof own !== 'string') return own;
        return type === 'datetime' ? momentOf(own) : textCell(id, key, own);
      });
      return [id, ...cells, ...(xy ? positionOf(geom) : [geomCell(id, geom)])];
    },
    rest() {
      if (!long.length) return [];
      const rows = long.flatMap(({ id, code, text }) =>
        piecesOf(text, limitOf(text)).map((piece, i): SheetCell[] => [id, code, i + 1, piece]),
      );
      const lost = counts.lost ? [[null, null, counts.lost, 'more texts, which only csv holds']] : [];
      return [['svc_id', 'code', 'part', 'text'], ...rows, ...lost];
    },
  };
}

function positionOf(wkt: string | null): [SheetCell, SheetCell] {
  if (wkt === null) return [null, null];
  const [, x, y] = /^POINT ?\((\S+) ([^\s)]+)\)$/.exec(wkt) ?? [];
  if (x === undefined) throw new ServiceError('busy', 'The layer was changed during the export; try again');
  return [Number(x), Number(y)];
}

/** The largest index up to `end` where a text may be cut: not within a character. */
function wholeEnd(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

function piecesOf(text: string, limit: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    // Readers merge the two characters of a line break, so they go into different pieces.
    const returned = text.indexOf('\r\n', start) + 1;
    const end = wholeEnd(text, Math.min(start + limit, returned || text.length));
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

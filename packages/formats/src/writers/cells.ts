import { ServiceError } from '../../errors.js';
import type { ObjectRow } from '../../objects/store.js';
import { geometryNote } from '../own-sheets.js';
import type { OutField } from './fields.js';

/** A moment as a spreadsheet counts it: days since 1899-12-30 in UTC, with the time of the day as fraction. */
export interface Moment {
  days: number;
}

export type Cell = string | number | boolean | Moment | null;

/** Most UTF-16 units of the text of a cell: https://support.microsoft.com/en-us/office/1672b34d-7043-467e-8e27-269d656771c3 */
export const cellLimit = 32_767;

/** Most UTF-16 units of a text in a cell of a format. */
export type TextLimit = (text: string) => number;

const dayMs = 86_400_000;
const epochMs = Date.UTC(1899, 11, 30);
/** Before it spreadsheets count differently: one of them has a 29th of February 1900. */
const earliestDay = 61;
/** 9999-12-31, the last day that they know; some not its hours. */
const latestDay = 2_958_465;

/** ISO 8601 as a moment; as it is where spreadsheets have no such day. */
export function momentOf(iso: string): Moment | string {
  const days = (Date.parse(iso) - epochMs) / dayMs;
  return days >= earliestDay && days <= latestDay ? { days } : iso;
}

export interface Cells {
  /** Names of the columns. They are the codes, not the titles: an import knows columns by them. */
  header: string[];
  of(row: ObjectRow): Cell[];
  /** Rows, under a header of their own, of what no cell can hold: it stands there in pieces. Empty when there is nothing. */
  rest(): Cell[][];
}

export interface CellRules {
  /** Whether all geometries are points without height. */
  hasPoints: boolean;
  /** Whether readers of the format keep line breaks as they are. */
  keepsBreaks: boolean;
  /** Longest texts; absent: those of a cell. */
  limitOf?: TextLimit | undefined;
}

/** Most characters of long texts that are kept until the end. */
const mostCharacters = 32 * 1024 * 1024;

/**
 * The cells of objects, whose geometries are WKT: `svc_id`, the columns, and `geom`, or with `hasPoints`, when all are
 * points, longitude and latitude as `x` and `y`. A text that is too long for a cell begins in it, and is whole in `rest`;
 * of a geometry nothing begins there, since a part of it would be another one.
 */
export function createCells(
  fields: readonly OutField[],
  { hasPoints, keepsBreaks, limitOf = () => cellLimit }: CellRules,
): Cells {
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
  const geomCell = (id: number, wkt: string | null): Cell => {
    if (wkt === null || wkt.length <= limitOf(wkt)) return wkt;
    keep(id, 'geom', wkt);
    return geometryNote(wkt);
  };
  return {
    header: ['svc_id', ...fields.map(({ key }) => key), ...(xy ? ['x', 'y'] : ['geom'])],
    of: ({ id, geom, values }) => {
      const cells = fields.map(({ key, type, value }): Cell => {
        const own = value(values) as string | number | boolean | null;
        if (typeof own !== 'string') return own;
        return type === 'datetime' ? momentOf(own) : textCell(id, key, own);
      });
      return [id, ...cells, ...(xy ? positionOf(geom) : [geomCell(id, geom)])];
    },
    rest() {
      if (!long.length) return [];
      const rows = long.flatMap(({ id, code, text }) =>
        piecesOf(text, limitOf(text)).map((piece, i): Cell[] => [id, code, i + 1, piece]),
      );
      const lost = counts.lost ? [[null, null, counts.lost, 'more texts, which only csv holds']] : [];
      return [['svc_id', 'code', 'part', 'text'], ...rows, ...lost];
    },
  };
}

function positionOf(wkt: string | null): [Cell, Cell] {
  if (wkt === null) return [null, null];
  const [, x, y] = /^POINT ?\((\S+) ([^\s)]+)\)$/.exec(wkt) ?? [];
  if (x === undefined) throw new ServiceError('busy', 'The layer was changed during the export; try again');
  return [Number(x), Number(y)];
}

/** Where a text may be cut before `end`: not within a character. */
function wholeEnd(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

function piecesOf(text: string, limit: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    // Readers make one sign of the two of a line break: they stand in different pieces.
    const returned = text.indexOf('\r\n', start) + 1;
    const end = wholeEnd(text, Math.min(start + limit, returned || text.length));
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

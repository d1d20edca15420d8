import { ServiceError } from '../../errors.js';
import type { SheetLine } from '../engine/orders.js';
import type { FeatureReader } from '../geojson.js';
import { geometryNote } from '../own-sheets.js';
import type { Cell } from './header.js';
import { createTable, type TableOptions, type TableRow } from './table.js';

const lineFeed = 0x0a;

/** Reads the rows of a sheet as the process of spreadsheets writes them: JSON, a row a line. */
export function createSheetReader(options: TableOptions): FeatureReader {
  let rest: Buffer = Buffer.alloc(0);
  let sheet = '';
  let header: readonly Cell[] = [];
  const whole = new Map<number, Map<string, string>>();
  const table = createTable({
    ...options,
    understood: (info) => options.understood({ sheet, ...info }),
  });
  const rowsIn = (text: string): TableRow[] => {
    const rows: TableRow[] = [];
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const parsed = JSON.parse(line) as SheetLine;
      if ('sheet' in parsed) sheet = parsed.sheet;
      else if ('whole' in parsed) {
        const [id, code, text] = parsed.whole;
        whole.set(id, (whole.get(id) ?? new Map()).set(code, text));
      } else {
        if (!header.length) header = parsed[1];
        rows.push(restored(rowOf(parsed, options)));
      }
    }
    return rows;
  };
  /** With the texts of its object that no cell holds, where the cells still have what the export left there. */
  const restored = (row: TableRow): TableRow => {
    const texts = whole.get(row.cells[0] as number);
    if (!texts) return row;
    const cells = row.cells.map((cell, i) => {
      const text = texts.get(String(header[i]));
      return typeof cell === 'string' && text !== undefined && isBeginning(cell, text) ? text : cell;
    });
    return { ...row, cells };
  };
  return {
    push(chunk) {
      const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
      const end = bytes.lastIndexOf(lineFeed) + 1;
      rest = bytes.subarray(end);
      return table.push(rowsIn(bytes.toString('utf8', 0, end)));
    },
    end: () => [...table.push(rowsIn(rest.toString())), ...table.end()],
    srs: table.srs,
  };
}

/** Whether a cell has the beginning of a text, or stands for a geometry. Programs differ in what they make of line breaks. */
function isBeginning(cell: string, text: string): boolean {
  const plain = (some: string): string => some.replace(/\s/g, '');
  return cell === geometryNote(text) || plain(text).startsWith(plain(cell));
}

function rowOf([line, cells]: Extract<SheetLine, unknown[]>, { rules }: TableOptions): TableRow {
  const { columns, cell: longest } = rules.limits;
  const wrong = (why: string): TableRow => ({
    cells: [],
    line,
    error: new ServiceError('too_large', why, { line }),
  });
  const isLong = cells.some((cell) => typeof cell === 'string' && cell.length > longest);
  if (isLong) return wrong(`a cell is longer than ${longest} characters`);
  const width = cells.findLastIndex((cell) => cell !== null && cell !== '') + 1;
  return width > columns
    ? wrong(`there are more than ${columns} columns`)
    : {
        cells: cells.slice(0, width),
        line,
        emptyTexts: cells.flatMap((cell, i) => (cell === '' ? [i] : [])),
      };
}

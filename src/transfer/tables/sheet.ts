import { ServiceError } from '../../errors.js';
import type { SheetLine } from '../engine/orders.js';
import type { FeatureReader } from '../geojson.js';
import { createTable, type TableOptions, type TableRow } from './table.js';

const lineFeed = 0x0a;

/** Reads the rows of a sheet as the process of spreadsheets writes them: JSON, a row a line. */
export function createSheetReader(options: TableOptions): FeatureReader {
  let rest: Buffer = Buffer.alloc(0);
  let sheet = '';
  const table = createTable({
    ...options,
    understood: (info) => options.understood({ sheet, ...info }),
  });
  const rowsIn = (text: string): TableRow[] => {
    const rows: TableRow[] = [];
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const parsed = JSON.parse(line) as SheetLine;
      if (Array.isArray(parsed)) rows.push(rowOf(parsed, options));
      else sheet = parsed.sheet;
    }
    return rows;
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
    : { cells: cells.slice(0, width), line };
}

import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { SheetLine } from '../engine/orders.js';
import { geometryNote } from '../own-exports/own-sheets.js';
import type { FeatureReader } from '../raw-feature.js';
import type { TableCell } from './header.js';
import { createTableReader, type TableOptions, type TableRow } from './table.js';

const lineFeed = 0x0a;

/** Reads the rows of a sheet from the spreadsheet process: one JSON row per line. */
export function createSheetReader(options: TableOptions): FeatureReader {
  let rest: Buffer = Buffer.alloc(0);
  let sheet = '';
  let header: readonly TableCell[] = [];
  const whole = new Map<number, Map<string, string>>();
  const table = createTableReader({
    ...options,
    understood: (info) => options.understood({ sheet, ...info }),
  });
  const rowsIn = (text: string): TableRow[] => {
    const rows: TableRow[] = [];
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const parsed = JSON.parse(line) as SheetLine;
      if ('sheet' in parsed) {
        sheet = parsed.sheet;
        if (parsed.others.length) options.note(otherSheets(sheet, parsed.others));
        if (parsed.errors) options.note(noteOf('cellErrors', { count: parsed.errors }));
      } else if ('whole' in parsed) {
        const [id, code, text] = parsed.whole;
        whole.set(id, (whole.get(id) ?? new Map()).set(code, text));
      } else {
        if (!header.length) header = parsed[1];
        rows.push(restored(rowOf(parsed, options)));
      }
    }
    return rows;
  };
  /** Inserts texts that exceed a cell, if the cells still contain what the export wrote. */
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

function otherSheets(sheet: string, others: readonly string[]): string {
  const names = others.slice(0, 10).map((name) => `'${name.slice(0, 50)}'`);
  const list = names.join(', ') + (others.length > 10 ? ' …' : '');
  return noteOf('otherSheets', { sheet: sheet.slice(0, 50), others: list });
}

/** Whether a cell has the beginning of a text, or the placeholder of a geometry. Programs treat line breaks differently. */
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

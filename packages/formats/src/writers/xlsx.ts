import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import yazl from 'yazl';
import type { SheetCell } from './cells.js';

/*
 * Writes workbooks of Excel since 2007: Office Open XML, ECMA-376 part 1,
 * https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */

export const xlsxLimits = { rows: 1_048_576, columns: 16_384 } as const;

/** A sheet, whose rows are requested after those of the preceding sheets were written. */
export interface SheetSource {
  /** Maximum of 31 characters. */
  name: string;
  rows: AsyncIterable<readonly (readonly SheetCell[])[]>;
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The first entry of the archive, written before the number of sheets is known: XML parts without an override are sheets. */
const types = `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="${kind}.worksheet+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${kind}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${kind}.styles+xml"/>
</Types>
`;

const links = (targets: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="${relations}">${targets
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>\n`;

/** Cell formats: general, date, and text that stays text when it is edited. */
const styles = `${declaration}<styleSheet xmlns="${main}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="1"><font><sz val="10"/><name val="Arial"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>
`;
const moment = 1;
const text = 2;

/** Writes a workbook at the pace of its reader. An error of a sheet ends the stream. */
export function xlsxFile(sheets: AsyncIterable<SheetSource>): Readable {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  fill(zip, output, sheets).catch((error) => output.destroy(error));
  return output;
}

async function fill(zip: yazl.ZipFile, output: Readable, sheets: AsyncIterable<SheetSource>): Promise<void> {
  const add = (name: string, content: string): void => zip.addBuffer(Buffer.from(content), name);
  add('[Content_Types].xml', types);
  add('_rels/.rels', links([['rId1', 'officeDocument', 'xl/workbook.xml']]));
  add('xl/styles.xml', styles);
  const names: string[] = [];
  for await (const { name, rows } of sheets) {
    names.push(name);
    const sheet = Readable.from(sheetText(rows, names.length === 1), { objectMode: false });
    const close = (): void => void sheet.destroy();
    output.once('close', close);
    // Higher compression levels gain little and take three times as long.
    zip.addReadStream(sheet, `xl/worksheets/sheet${names.length}.xml`, { compressionLevel: 3 });
    await finished(sheet);
    output.off('close', close);
  }
  const entries = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  add(
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${entries.join('')}</sheets></workbook>\n`,
  );
  const parts = names.map((_, i) => [`rId${i + 1}`, 'worksheet', `worksheets/sheet${i + 1}.xml`] as const);
  add('xl/_rels/workbook.xml.rels', links([...parts, [`rId${names.length + 1}`, 'styles', 'styles.xml']]));
  zip.end();
}

/** Freezes the first row, which contains the names. */
const view = (isShown: boolean): string =>
  `<sheetViews><sheetView ${isShown ? 'tabSelected="1" ' : ''}workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;

async function* sheetText(rows: SheetSource['rows'], isShown: boolean): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}">${view(isShown)}<sheetData>`;
  const letters: string[] = [];
  let number = 0;
  for await (const slice of rows) {
    yield slice.map((cells) => rowText(++number, cells, letters)).join('');
  }
  yield '</sheetData></worksheet>\n';
}

function rowText(row: number, cells: readonly SheetCell[], letters: string[]): string {
  let content = '';
  for (const [i, cell] of cells.entries()) {
    if (cell === null) continue;
    letters[i] ??= columnLetters(i);
    const place = `<c r="${letters[i]}${row}"`;
    if (typeof cell === 'number') content += `${place}><v>${cell}</v></c>`;
    else if (typeof cell === 'boolean') content += `${place} t="b"><v>${Number(cell)}</v></c>`;
    else if (typeof cell === 'object') content += `${place} s="${moment}"><v>${cell.days}</v></c>`;
    else
      content += `${place} s="${text}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  }
  return `<row r="${row}">${content}</row>`;
}

/** The letters of a column counted from 0: A, B … Z, AA, AB … */
function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const special = /[&<>]|[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|_(?=x[0-9A-Fa-f]{4}_)/u;
const allSpecial = new RegExp(special, 'gu');

/** Characters that XML cannot hold become `_x000D_`. In texts that look like this, the first underscore is escaped (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
function escaped(value: string): string {
  if (!special.test(value)) return value;
  return value.replace(
    allSpecial,
    (sign) => entities[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

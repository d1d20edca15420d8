import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@cartulary/formats/internal/engine/engine.js';

/** Small files that make GDAL work without an end, or make much out of little. */

const group = (code: number, value: string | number): string => `${code}\n${value}\n`;
const section = (name: string, content: string): string =>
  group(0, 'SECTION') + group(2, name) + content + group(0, 'ENDSEC');

const drawing = (blocks: string, entities: string): string =>
  section('HEADER', group(9, '$ACADVER') + group(1, 'AC1015')) +
  section('BLOCKS', blocks) +
  section('ENTITIES', entities) +
  group(0, 'EOF');

const at = (code: number, x: number, y: number): string => group(code, x) + group(code + 10, y);
const line = group(0, 'LINE') + group(8, '0') + at(10, 0, 0) + at(11, 1, 1);

const block = (name: string, content: string): string =>
  `${group(0, 'BLOCK')}${group(8, '0')}${group(2, name)}${group(70, 0)}${at(10, 0, 0)}${group(3, name)}${content}${group(0, 'ENDBLK')}${group(8, '0')}`;

/** A block, once or in columns and rows. */
const insert = (name: string, columns = 1, rows = 1): string =>
  `${group(0, 'INSERT')}${group(8, '0')}${group(2, name)}${at(10, 0, 0)}${group(70, columns)}${group(71, rows)}${group(44, 1)}${group(45, 1)}`;

/** A drawing of a line with this number of columns and rows. */
export const arrayDrawing = (columns: number, rows: number): string =>
  drawing(block('B', line), insert('B', columns, rows));

/** A drawing of ten lines, in a block, ten times in another, and so on. */
export function nestedDrawing(depth: number): string {
  const blocks = Array.from({ length: depth }, (_, i) => block(`B${i + 1}`, insert(`B${i}`).repeat(10)));
  return drawing(block('B0', line.repeat(10)) + blocks.join(''), insert(`B${depth}`));
}

/** Numbers from 1 without an end, as a table of SQL. */
const numbers = 'with recursive n(fid) as (select 1 union all select fid + 1 from n)';

/** Input from which a layer of a GeoPackage is made. */
export const views = {
  /** Objects without an end. */
  endless: `${numbers} select fid, (select geom from base) as geom from n`,
  /** No object, and no end. */
  silent: `${numbers} select fid, (select geom from base) as geom from n where fid < 0`,
  /** A hundred thousand objects of 4,000 letters. */
  repeated: `${numbers.replace('from n)', 'from n where fid < 100000)')} select fid, (select geom from base) as geom, hex(zeroblob(2000)) as note from n`,
};

const point = '{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}';

/** A GeoPackage with a layer that is a view. */
export async function geopackageWithView(view: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-endless-'));
  const engine = createEngine({ processes: 1, time: 60_000, memory: 512, stall: 30_000, ratio: 200 });
  try {
    await writeFile(join(folder, 'base.json'), point);
    const job = await engine.start(folder, AbortSignal.timeout(60_000));
    const convert = async (...args: string[]): Promise<void> => {
      const data = { file: 'base.json', driver: 'GeoJSON' };
      const report = await job.ask({ kind: 'convert', data, target: 'made.gpkg', args });
      if (report.failed) throw new Error(report.errors.join('; '));
    };
    await convert('-f', 'GPKG', '-nln', 'base');
    const statements = [
      `create view endless as ${view}`,
      "insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('endless', 'features', 'endless', 4326)",
      "insert into gpkg_geometry_columns values ('endless', 'geom', 'POINT', 4326, 0, 0)",
    ];
    await convert('-update', '-append', '-nln', 'base', '-doo', `PRELUDE_STATEMENTS=${statements.join(';')}`);
    job.end();
    return await readFile(join(folder, 'made.gpkg'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import { encodingOf } from '../encodings/charsets.js';
import type { EngineJob } from '../engine/engine.js';
import type { Data } from '../engine/orders.js';
import { dbfHead, dbfHeadSize, isElsewhere } from '../readers/shapefile/dbf.js';
import type { FileSource } from '../reading/reading.js';
import { type Dataset, fileHead } from './datasets.js';
import type { LayerReading } from './layers.js';
import { prjText, understood } from './prj.js';

/** The used part of GDAL, which is started only for projections that nothing else here knows. */
export interface ShapefileReading extends Omit<LayerReading, 'job'> {
  job(): Promise<EngineJob>;
}

/** Opens a shapefile, which is read without GDAL: several times as fast, and errors name their record. */
export async function shapefileOf(dataset: Dataset, reading: ShapefileReading): Promise<FileSource> {
  const { folder, note } = reading;
  const { file, beside } = dataset;
  const path = join(folder, file);
  const partBeside = (extension: string): string | undefined =>
    beside.has(extension) ? path.replace(/shp$/, extension) : undefined;
  const dbf = partBeside('dbf');
  noteParts(dataset, note);
  const total = dbf ? await countOf(dbf, dataset, note) : undefined;
  const encoding = await encodingOf(folder, dataset, reading.encoding);
  const srs = await projectionOf(dataset, reading);
  return {
    part: { kind: 'shp', shp: path, shx: partBeside('shx'), dbf, encoding, srs },
    total: reading.isOnly ? total : undefined,
  };
}

/** Opens a .dbf without shapes, whose records become objects, of which columns of coordinates may give the geometry. */
export async function dbfTableOf(
  dataset: Dataset,
  { folder, encoding, isOnly, tables, note }: Omit<ShapefileReading, 'job'>,
): Promise<FileSource> {
  const { file, name } = dataset;
  const dbf = join(folder, file);
  note(noteOf('noShapes', { name: name.slice(0, 100) }));
  const total = await countOf(dbf, dataset, note);
  return {
    part: { kind: 'dbf', dbf, encoding: await encodingOf(folder, dataset, encoding), rules: tables },
    total: isOnly ? total : undefined,
  };
}

function noteParts({ name, beside }: Dataset, note: (text: string) => unknown): void {
  const shown = name.slice(0, 100);
  if (!beside.has('dbf')) note(noteOf('noAttributes', { name: shown, extension: 'dbf' }));
}

/** The number of records. Notes the omitted ones. */
async function countOf(dbf: string, { name }: Dataset, note: (text: string) => unknown): Promise<number> {
  const start = await fileHead(dbf);
  const head = dbfHead(start.subarray(0, dbfHeadSize(start)));
  const lost = head.fields.filter((field) => isElsewhere(field, head)).length;
  if (lost) note(noteOf('memoColumns', { count: lost, name: name.slice(0, 100) }));
  return head.count;
}

/**
 * The projection of the .prj in the form of `parseSrs`. A system on the datum WGS 84 is used as it stands. For other
 * datums ESRI's WKT lacks the transformation to WGS 84, so GDAL looks up the EPSG code.
 */
async function projectionOf(dataset: Dataset, reading: ShapefileReading): Promise<string | undefined> {
  const { file, name, beside } = dataset;
  if (reading.srsIsGiven) return undefined;
  const text = beside.has('prj')
    ? await prjText(join(reading.folder, file.replace(/shp$/, 'prj')))
    : undefined;
  if (text === undefined) {
    reading.note(noteOf('noPrj', { name: name.slice(0, 100) }));
    return undefined;
  }
  const known = ofWgs84(text);
  if (known) return known;
  const report = await (await reading.job()).ask({
    kind: 'inspect',
    data: await emptyWith(text, join(reading.folder, file)),
  });
  return understood(report.layers?.[0]?.srs ?? text, name);
}

/**
 * A shapefile without records beside another, with this .prj. GDAL does not get the other itself: it opens none whose .shx is
 * absent or wrong, or replaces the .shx by one that takes gaps between records for records.
 */
async function emptyWith(prj: string, path: string): Promise<Data> {
  const stem = path.replace(/\.shp$/, '-srs');
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32BE(head.length / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(1, 32);
  await writeFile(`${stem}.shp`, head);
  await writeFile(`${stem}.shx`, head);
  await writeFile(`${stem}.prj`, prj, 'latin1');
  return { file: `${basename(stem)}.shp`, driver: 'ESRI Shapefile' };
}

/** The most common systems on WGS 84, by ESRI's names. */
function ofWgs84(wkt: string): string | undefined {
  if (
    /^GEOGCS\["[^"]*",DATUM\["D_WGS_1984",[^A-Z]*SPHEROID\["WGS_1984",[^\]]*\]\],PRIMEM\["Greenwich",0(\.0)?\],UNIT\["Degree",0\.0174532925\d*\]/i.test(
      wkt,
    )
  )
    return wgs84;
  const name = /^PROJCS\["([^"]*)",GEOGCS\["GCS_WGS_1984",/.exec(wkt)?.[1] ?? '';
  const origin = `${parameterOf(wkt, 'Central_Meridian')} ${parameterOf(wkt, 'False_Easting')} ${parameterOf(wkt, 'False_Northing')}`;
  // The parameters are compared too, because users may change them and keep the name.
  if (!/UNIT\["Meter",1(?:\.0)?\]\]$/i.test(wkt)) return undefined;
  if (name === 'WGS_1984_Web_Mercator_Auxiliary_Sphere') return origin === '0 0 0' ? 'EPSG:3857' : undefined;
  const [, zone, half] = /^WGS_1984_UTM_Zone_([1-5]?\d|60)([NS])$/.exec(name) ?? [];
  if (!zone || parameterOf(wkt, 'Scale_Factor') !== 0.9996) return undefined;
  if (origin !== `${6 * Number(zone) - 183} 500000 ${half === 'N' ? 0 : 10_000_000}`) return undefined;
  return `EPSG:32${half === 'N' ? 6 : 7}${zone.padStart(2, '0')}`;
}

/** A parameter of a WKT by its name; NaN if it is absent. */
const parameterOf = (wkt: string, name: string): number =>
  Number(new RegExp(`PARAMETER\\["${name}",([-+.\\dEe]+)\\]`, 'i').exec(wkt)?.[1] ?? Number.NaN);

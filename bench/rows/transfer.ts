import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { layerPath, polygonFile, polygonLayer } from '../data/layer.js';
import { compare, type Finding, timed } from '../measure.js';
import { type Format, ogrExport } from '../peers/ogr2ogr.js';
import { exported, serviceOf } from '../service.js';
import { folderOf, type Stage } from '../stage.js';
import { raceImport } from './imports.js';
import type { Row } from './row.js';

/** Row 7: files in and out. */
export const transfer: Row = {
  code: 'transfer',
  what: 'import and export of the polygons',
  async measure(stage) {
    await polygonLayer(stage);
    const findings: Finding[] = [];
    for (const format of ['shp', 'geojson'] as const) findings.push(await importing(stage, format));
    for (const format of ['geojson', 'csv'] as const) findings.push(await exporting(stage, format));
    return { findings };
  },
};

const unit = 'features/s';
const peer = 'ogr2ogr';

async function importing(stage: Stage, format: 'shp' | 'geojson'): Promise<Finding> {
  const files = await filesOf(stage, format);
  const { features } = stage.options;
  return {
    ...(await raceImport(stage, { code: `imported_${format}`, ...files, features })),
    target: { atLeast: 1 },
  };
}

async function exporting(stage: Stage, format: Format): Promise<Finding> {
  const { table, database } = await polygonLayer(stage);
  const service = await serviceOf(stage);
  const folder = await folderOf(stage, 'exported');
  const [own, other] = [join(folder, `ours.${format}`), join(folder, `theirs.${format}`)];
  const { features } = stage.options;
  const found = await compare(
    stage.options,
    async () =>
      features /
      (await timed(async () => pipeline(await exported(service, layerPath, format), createWriteStream(own)))),
    async () => features / (await timed(() => ogrExport(database, table, other, format))),
  );
  for (const file of [own, other])
    if ((await stat(file)).size < 100 * features) throw new Error(`${file} holds too little`);
  return { work: `export of ${format}`, unit, peer, ...found };
}

/** The polygons in a format: the files for the service and for ogr2ogr. */
const filesOf = (stage: Stage, format: 'shp' | 'geojson'): Promise<{ ours: string; theirs: string }> =>
  stage.once(`file ${format}`, async () => {
    const geojson = await polygonFile(stage);
    if (format === 'geojson') return { ours: geojson, theirs: geojson };
    const folder = await folderOf(stage, 'shp');
    const theirs = join(folder, 'polygons.shp');
    await ogrExport(geojson, undefined, theirs, 'shp');
    return { ours: await zipOf(folder), theirs };
  });

/** Packs the files of a folder into an archive beside them. */
export async function zipOf(folder: string): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const name of await readdir(folder)) zip.addFile(join(folder, name), name);
  zip.end();
  const file = join(folder, 'polygons.zip');
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, type Layer } from '../data/layer.js';
import { piecesMade } from '../data/pieces.js';
import type { TileServer } from '../peers/tile-server.js';
import { exported, importFile, makeMap, type Service, serviceOf } from '../service.js';
import { folderOf, run, type Stage } from '../stage.js';
import { type Position, storeData } from './data/data-set.js';
import { reliefBox, reliefFile } from './data/relief.js';
import { makeIcons } from './icons.js';
import type { Look, LookLayer } from './look.js';

/** A layer of a look with the service's table, which the peers read. */
export interface StoredLayer {
  layer: LookLayer;
  stored: Layer;
  /** The image in EPSG:3857 that a raster layer draws. */
  image?: string;
}

/** The look as a map of the service. */
export interface OwnMap {
  map: string;
  layers: readonly StoredLayer[];
  /** Positions at which views are placed: objects of the topmost layer's data, and of each other one. */
  places: readonly Position[];
}

/** The place of a new layer, above those that are there. */
const top = 1;

/** Codes of maps have no hyphens. */
const mapOf = ({ code }: Look): string => `look_${code.replaceAll('-', '_')}`;

/** Creates the map of a look with its layers and objects, and waits until its indexes are there. */
export async function makeOwnMap(stage: Stage, look: Look): Promise<OwnMap> {
  const service = await serviceOf(stage);
  const map = mapOf(look);
  await makeMap(service, map);
  await makeIcons(stage);
  const layers: StoredLayer[] = [];
  const places: Position[] = [];
  for (const layer of look.layers) {
    const { data } = layer;
    if (data.geometry === 'RASTER') {
      layers.push(await fillRaster(stage, map, layer));
      for (const { at } of data.rows(stage.options.features)) places.push(at);
      continue;
    }
    const source = await stage.once(`data ${data.code}`, () =>
      storeData(service.database, data, stage.options.features),
    );
    layers.push({ layer, stored: await fillLayer(service, map, { layer, table: source.table }) });
    places.push(...source.places);
  }
  for (const { stored, image } of layers) if (!image) await piecesMade(service, map, stored);
  await indexesMade(service, map);
  return { map, layers, places };
}

async function fillLayer(
  service: Service,
  map: string,
  { layer, table }: { layer: LookLayer; table: string },
): Promise<Layer> {
  const { code, data, style, sheet, visual } = layer;
  const path = `/${map}/layers/${code}`;
  const { id } = await service.admin('POST', `/${map}/layers/`, { code, sort: top });
  for (const [column, type] of Object.entries(data.columns))
    await service.admin('POST', `${path}/structure/`, { code: column, type });
  const stored = await describe(service, path, id);
  const names = Object.keys(data.columns);
  const own = names.map((name) => stored.columns[name]).join(', ');
  await run('psql', [
    stored.database,
    '-qXc',
    `insert into ${stored.table} (geom, ${own}) select geom, ${names.join(', ')} from ${table}`,
    '-c',
    `vacuum analyze ${stored.table}`,
  ]);
  await service.admin('PATCH', `${path}/`, visual ?? { css_style: sheet ?? `#${code} {\n  ${style}\n}` });
  return stored;
}

/** Imports the image, and writes the one that is drawn for the peers. */
async function fillRaster(stage: Stage, map: string, layer: LookLayer): Promise<StoredLayer> {
  const service = await serviceOf(stage);
  const { code, style } = layer;
  const path = `/${map}/layers/${code}`;
  const { id } = await service.admin('POST', `/${map}/layers/`, {
    code,
    type: 'raster',
    sort: top,
    css_style: `#${code} { ${style} }`,
  });
  await importFile(service, path, await reliefFile(stage), { raster_bbox: reliefBox });
  const image = join(await folderOf(stage, 'relief'), `${code}.tif`);
  await pipeline(await exported(service, path, 'geotif&orig=0'), createWriteStream(image));
  const stored = { id, table: '', columns: {}, database: service.database };
  return { layer, stored, image };
}

/** Draws the map at some zoom levels, which begins the indexes for it, and waits until none is under construction. */
async function indexesMade({ url, database }: Service, map: string): Promise<void> {
  const building = 'select count(*) from pg_stat_progress_create_index where datname = current_database()';
  for (const z of [0, 2, 4]) await fetch(`${url}/tms/demo/${map}/?z=${z}&x=0&y=0`);
  for (let isBusy = true; isBusy; ) {
    await sleep(300);
    isBusy = (await run('psql', [database, '-Atc', building])).stdout.trim() !== '0';
  }
}

/** Cartulary's tiles of a map. */
export const ownTilesOf = ({ url }: Service, map: string): TileServer => ({
  name: 'Cartulary',
  base: url,
  path: ({ z, x, y }) => `/tms/demo/${map}/?z=${z}&x=${x}&y=${2 ** z - 1 - y}`,
});

/** The query by which a peer reads a layer: its columns have the codes of the data set. */
export function queryOf({ layer, stored }: StoredLayer, where?: string): string {
  const names = Object.keys(layer.data.columns);
  const selected = ['svc_id', 'geom', ...names.map((name) => `${stored.columns[name]} as ${name}`)];
  const query = `select ${selected.join(', ')} from ${stored.table}`;
  const condition = where?.replace(/\b[a-z_]+\b/g, (word) => stored.columns[word] ?? word);
  return condition ? `${query} where ${condition}` : query;
}

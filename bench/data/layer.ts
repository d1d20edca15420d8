import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { importFile, makeMap, type Service, serviceOf } from '../service.js';
import { run, type Stage } from '../stage.js';
import { writePolygons } from './polygons.js';

/** The polygon layer and its table in the database, which the peers read. */
export interface Layer {
  id: number;
  /** `cartulary_data.layer_…`, with `svc_id`, `geom` (EPSG:4326) and the columns. */
  table: string;
  /** Names of table columns by code. */
  columns: Readonly<Record<string, string>>;
  /** URL of the database. */
  database: string;
}

export const map = 'bench';
export const layerCode = 'polygons';
/** Path of the layer below the project. */
export const layerPath = `/${map}/layers/${layerCode}`;

/** The style of the polygons, which each peer expresses in its own language: four classes, outlines, labels. */
export const look = {
  fills: ['#f2e6c9', '#cfe3c0', '#c3d7ea', '#ecc6bd'],
  line: '#6b5b4b',
  /** Pixels. */
  lineWidth: 1,
  text: '#222222',
  halo: '#ffffff',
  /** Pixels. */
  textSize: 11,
  labelsFrom: 11,
  background: '#ffffff',
} as const;

const lines = `line-color: ${look.line}; line-width: ${look.lineWidth};`;
const style = `#${layerCode} {
  ${look.fills.map((fill, i) => `[class = ${i + 1}] { polygon-fill: ${fill}; ${lines} }`).join('\n  ')}
  [zoom >= ${look.labelsFrom}] {
    text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${look.textSize}; text-fill: ${look.text};
    text-halo-fill: ${look.halo}; text-halo-radius: 1;
  }
}`;

/** The file of the polygons, written once. */
export const polygonFile = (stage: Stage): Promise<string> =>
  stage.once('polygons', async () => {
    const file = join(stage.folder, 'polygons.geojson');
    await writePolygons(file, stage.options.features);
    stage.defer(() => rm(file, { force: true }));
    return file;
  });

/** The polygon layer, imported once by the service. */
export const polygonLayer = (stage: Stage): Promise<Layer> =>
  stage.once('polygon layer', async () => {
    const service = await serviceOf(stage);
    const id = await makePolygons(stage, service);
    return describe(service, layerPath, id);
  });

/** Imports the polygon layer into a service. Returns the id of the layer. */
export async function makePolygons(stage: Stage, service: Service): Promise<number> {
  await makeMap(service, map);
  const { id } = await service.admin('POST', `/${map}/layers/`, { code: layerCode });
  const stored = await importFile(service, layerPath, await polygonFile(stage));
  if (stored !== stage.options.features) throw new Error(`only ${stored} polygons were stored`);
  await service.admin('PATCH', `${layerPath}/`, { css_style: style });
  await run('psql', [service.database, '-qc', 'vacuum analyze']);
  return id;
}

/** Describes the table of a layer. */
export async function describe(service: Service, path: string, id: number): Promise<Layer> {
  const structure: { id: number; code: string; type: string }[] = await service.admin(
    'GET',
    `${path}/structure/`,
  );
  const own = structure.filter(({ code }) => code !== 'svc_id' && code !== 'geom');
  return {
    id,
    table: `cartulary_data.layer_${id}`,
    columns: Object.fromEntries(own.map((column) => [column.code, `c${column.id}`])),
    database: service.database,
  };
}

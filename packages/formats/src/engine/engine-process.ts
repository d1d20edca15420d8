import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { leaveSignalsToParent } from '@cartulary/runtime';
import { createFrames } from './frames.js';
import { type Gdal, jobFolder, outputPath, startGdal } from './gdal.js';
import type { BeginOrder, Data, EngineOrder, LayerInfo, Report } from './orders.js';

/*
 * The process of jobs, one after the other: GDAL as WebAssembly, restricted to the folder of the job, and a folder of grid files. Each job has
 * an instance of its own: nothing of the job before is in its memory. The parent ends the process when a job exceeds its time.
 */

leaveSignalsToParent();

/** The used part of the WebAssembly API, which the types of Node lack. */
declare const WebAssembly: {
  Memory: { prototype: { readonly buffer: ArrayBuffer; grow(pages: number): number } };
  RuntimeError: new () => Error;
};
type Memory = (typeof WebAssembly.Memory)['prototype'];

/*
 * Most jobs are short and use little of the 28 MB of code. Functions are compiled when first called, and optimized only
 * when they run for long. The default (1.8 MB of called code) costs most jobs more than it saves; this setting saves a
 * third of the processor time of a small job.
 */
setFlagsFromString('--wasm-lazy-validation');
setFlagsFromString('--wasm-tiering-budget=50000000');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const [memory, grids] = [Number(process.argv[2]), process.argv[3] ?? ''];
limitMemory(memory);

let errors: string[] = [];
let warnings: string[] = [];
const frames = createFrames();
/** The instance of the job. */
let gdal!: Gdal;

async function begin(folder: string): Promise<void> {
  gdal = undefined!;
  collectGarbage();
  gdal = await startGdal({
    folder,
    grids,
    output: (bytes) => frames.send(bytes),
    said: (line) => {
      const [, kind, text = ''] = /^(ERROR|Warning) \d+: (.*)/s.exec(line) ?? [];
      const list = kind === 'ERROR' ? errors : warnings;
      if (kind && list.length < 100) list.push(text.slice(0, 1_000));
    },
  });
}

/** Limits the memory of WebAssembly, MiB. Beyond it an allocation fails as on a machine without memory. */
function limitMemory(mebibytes: number): void {
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: Memory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > mebibytes * 1_048_576) throw new RangeError('memory limit');
    return grow.call(this, pages);
  };
}

const pathOf = (file: string): string => `${jobFolder}/${file}`;

const withData = <T>(data: Data, work: (dataset: number) => T): T => withOpen(data, 'vector', work);

function withOpen<T>(
  { file, driver, options = [] }: Data,
  what: 'vector' | 'raster',
  work: (dataset: number) => T,
): T {
  const dataset = gdal.open(pathOf(file), what, [driver], options);
  try {
    return work(dataset);
  } finally {
    gdal.close(dataset);
  }
}

// With default values PGDUMP would end COPY before a row that lacks one. Values of a wrong type are null even where the file
// declares that there are none. A field with the name of the id would be taken for it: by default that is ogc_fid, which
// exports of PostGIS have.
const dumping = `-f PGDUMP -lco CREATE_TABLE=OFF -lco SPATIAL_INDEX=NONE -lco LAUNDER=NO -nln rows
  -unsetFid -unsetFieldWidth -unsetDefault -forceNullable -lco GEOMETRY_NAME=__geometry -lco FID=__id_of_the_dump`.split(
  /\s+/,
);

type Result = Pick<Report, 'layers' | 'raster'>;

function carryOut(order: EngineOrder): Result {
  switch (order.kind) {
    case 'inspect':
      return { layers: inspect(gdal, order.data) };
    case 'dump': {
      // A name that begins with a dash would be parsed as an option.
      if (order.layer?.startsWith('-')) throw new Error('name of a layer');
      const layers = order.layer === undefined || order.sql ? [] : [order.layer];
      const query = order.sql ? ['-sql', order.sql, '-dialect', 'SQLITE'] : [];
      // Any geometry type: layers may declare a wrong type, and a query takes the type of its first row.
      const type = order.heights === 'none' ? 'GEOMETRY' : 'GEOMETRYZ';
      withData(order.data, (dataset) =>
        gdal.translate(outputPath, dataset, [...dumping, '-nlt', type, ...query, ...layers]),
      );
      return {};
    }
    case 'convert':
      withData(order.data, (dataset) => gdal.translate(pathOf(order.target), dataset, order.args));
      return {};
    case 'raster-info': {
      const args = ['-json', '-nomd', '-norat', ...(order.values ? ['-stats', '-hist'] : [])];
      const text = withOpen(order.data, 'raster', (dataset) => gdal.rasterInfo(dataset, args));
      return { raster: JSON.parse(text.replaceAll(/: ?(-?)(?:nan|inf)\b/gi, ':null')) };
    }
    case 'raster-translate':
    case 'raster-warp': {
      const write = order.kind === 'raster-warp' ? gdal.warp : gdal.rasterTranslate;
      withOpen(order.data, 'raster', (dataset) => write(pathOf(order.target), dataset, order.args));
      return {};
    }
    case 'option':
      gdal.setOption(order.name, order.value);
      return {};
  }
}

interface InfoJson {
  layers: {
    name: string;
    featureCount?: number;
    fields: { name: string; type: string; subType?: string; comment?: string }[];
    geometryFields: {
      name?: string;
      type?: string;
      coordinateSystem?: { wkt: string; projjson?: { id?: { authority: string; code: number } } } | null;
    }[];
  }[];
}

function inspect(gdal: Gdal, data: Data): LayerInfo[] {
  return withData(data, (dataset) =>
    layersIn(JSON.parse(gdal.info(dataset, ['-json', '-so'])), () =>
      // The JSON lacks the coordinate system of MIF, which this driver reads late.
      data.driver === 'MapInfo File' ? srsInText(gdal.info(dataset, ['-al', '-so'])) : undefined,
    ),
  );
}

/** The coordinate system in the output of `ogrinfo` for a file with one layer. */
function srsInText(text: string): string | undefined {
  const wkt = /^Layer SRS WKT:\n(\w+\[.*?)\nData axis to CRS/ms.exec(text)?.[1];
  // The code of the system itself, not those of its parts.
  const [, authority, code] = /\n {4}ID\["(EPSG|ESRI)",(\d+)\]\]$/.exec(wkt ?? '') ?? [];
  return code ? `${authority}:${code}` : wkt;
}

function layersIn({ layers }: InfoJson, otherSrs: () => string | undefined): LayerInfo[] {
  return layers.map(({ name, featureCount = -1, fields, geometryFields }) => {
    const system = geometryFields[0]?.coordinateSystem;
    const id = system?.projjson?.id;
    const isCode = id?.authority === 'EPSG' || id?.authority === 'ESRI';
    return {
      name,
      count: featureCount,
      fields: fields.map(({ name, type, subType, comment }) => ({
        name,
        type,
        subType,
        description: comment,
      })),
      hasGeometry: geometryFields.length > 0,
      geometryName: geometryFields[0]?.name || 'geometry',
      heights: heightsOf(geometryFields[0]?.type ?? ''),
      hasMeasures: /M$/.test(geometryFields[0]?.type ?? ''),
      srs: isCode ? `${id.authority}:${id.code}` : (system?.wkt ?? otherSrs()),
    };
  });
}

/** By the name of a type (OGC 06-103r4): `Point`, `LineStringZM`; `Geometry` may be any. */
const heightsOf = (type: string): LayerInfo['heights'] =>
  /ZM?$/.test(type) ? 'all' : /^Geometry/.test(type) ? 'some' : 'none';

function reportOn(order: EngineOrder): Report {
  errors = [];
  warnings = [];
  let result: Result = {};
  let failed = false;
  try {
    result = carryOut(order);
  } catch (error) {
    // After a fault in WebAssembly its memory may be corrupt.
    if (error instanceof WebAssembly.RuntimeError) process.exit(70);
    failed = true;
  }
  if (order.kind === 'dump') frames.end();
  return { ...result, failed, errors, warnings };
}

process.on('message', async (order: BeginOrder | EngineOrder) => {
  if (order.kind !== 'begin') return process.send!(reportOn(order));
  await begin(order.folder);
  process.send!({ errors: [], warnings: [], failed: false } satisfies Report);
});

import { setFlagsFromString } from 'node:v8';
import { leaveSignalsToParent } from '../../signals.js';
import { createFrames } from './frames.js';
import { type Gdal, jobFolder, outputPath, startGdal } from './gdal.js';
import type { Data, LayerInfo, Order, Report } from './orders.js';

/*
 * The process of one job: GDAL as WebAssembly over the one folder that is its argument. It is ended from outside, when
 * the job is done or takes too long.
 */

leaveSignalsToParent();

/** What is used of it; the type library for Node alone has no WebAssembly. */
declare const WebAssembly: {
  Memory: { prototype: { readonly buffer: ArrayBuffer; grow(pages: number): number } };
  RuntimeError: new () => Error;
};
type Memory = (typeof WebAssembly.Memory)['prototype'];

/*
 * Most jobs are short: of 28 MB of code they use little, and that a few times. It is checked where it is used, and made
 * faster only where it runs for long (the default, 1.8 MB of code run, spends more on most than it saves): a third of the
 * processor time of a small job less.
 */
setFlagsFromString('--wasm-lazy-validation');
setFlagsFromString('--wasm-tiering-budget=50000000');

const [folder, memory] = [process.argv[2]!, Number(process.argv[3])];
limitMemory(memory);

let errors: string[] = [];
const frames = createFrames();
const gdal = await startGdal({
  folder,
  output: (bytes) => frames.send(bytes),
  said: (line) => {
    const error = /^ERROR \d+: (.*)/s.exec(line);
    if (error && errors.length < 100) errors.push(error[1]!.slice(0, 1_000));
  },
});

/** Lets the memory of WebAssembly grow to so many MiB and no further: beyond it an allocation fails as on a full machine. */
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

const dumping =
  `-f PGDUMP -lco CREATE_TABLE=OFF -lco SPATIAL_INDEX=NONE -lco LAUNDER=NO -nln rows -nlt CONVERT_TO_LINEAR
  -unsetFid -lco GEOMETRY_NAME=__geometry`.split(/\s+/);

type Result = Pick<Report, 'layers' | 'raster'>;

function carryOut(order: Order): Result {
  switch (order.kind) {
    case 'inspect':
      return { layers: inspect(gdal, order.data) };
    case 'dump': {
      // A name in the place of an option would be one.
      if (order.layer?.startsWith('-')) throw new Error('name of a layer');
      const layers = order.layer === undefined ? [] : [order.layer];
      const types = order.toMulti ? ['-nlt', 'PROMOTE_TO_MULTI'] : [];
      withData(order.data, (dataset) =>
        gdal.translate(outputPath, dataset, [...dumping, ...types, ...layers]),
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
    fields: { type: string; subType?: string }[];
    geometryFields: {
      type?: string;
      coordinateSystem?: { wkt: string; projjson?: { id?: { authority: string; code: number } } } | null;
    }[];
  }[];
}

function inspect(gdal: Gdal, data: Data): LayerInfo[] {
  const { layers } = withData(data, (dataset) =>
    JSON.parse(gdal.info(dataset, ['-json', '-so'])),
  ) as InfoJson;
  return layers.map(({ name, featureCount = -1, fields, geometryFields }) => {
    const system = geometryFields[0]?.coordinateSystem;
    const id = system?.projjson?.id;
    const isCode = id?.authority === 'EPSG' || id?.authority === 'ESRI';
    return {
      name,
      count: featureCount,
      fields: fields.map(({ type, subType }) => ({ type, subType })),
      hasGeometry: geometryFields.length > 0,
      toMulti: /^(?:3D )?(?:measured )?(?:line ?string|polygon)(?: ?z)?(?: ?m)?$/i.test(
        geometryFields[0]?.type ?? '',
      ),
      srs: isCode ? `${id.authority}:${id.code}` : system?.wkt,
    };
  });
}

function reportOn(order: Order): Report {
  errors = [];
  let result: Result = {};
  let failed = false;
  try {
    result = carryOut(order);
  } catch (error) {
    // After a fault in WebAssembly its memory cannot be trusted.
    if (error instanceof WebAssembly.RuntimeError) process.exit(70);
    failed = true;
  }
  if (order.kind === 'dump') frames.end();
  return { ...result, failed, errors };
}

process.on('message', (order: Order) => process.send!(reportOn(order)));
process.send!({ errors: [], failed: false } satisfies Report);

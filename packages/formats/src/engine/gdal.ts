import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Pointer, withPointers, withTextList } from './pointers.js';

/*
 * Bindings to the used part of GDAL's C interface in its WebAssembly build. Only the process of a job imports this file:
 * GDAL is synchronous, and a fault ends with its process.
 */

/** The module that Emscripten generates for the library. */
interface Module {
  ccall(name: string, returns: string | null, types: readonly string[], values: readonly unknown[]): unknown;
  _malloc(bytes: number): Pointer;
  _free(pointer: Pointer): void;
  HEAPU8: Uint8Array;
  getValue(pointer: Pointer, type: string): number;
  setValue(pointer: Pointer, value: number, type: string): void;
  ENV: Record<string, string>;
  NODEFS: object;
  FS: {
    mkdir(path: string): void;
    mount(type: object, options: { root: string }, path: string): void;
    makedev(major: number, minor: number): number;
    registerDevice(device: number, operations: object): void;
    mkdev(path: string, device: number): void;
  };
}

/** Mount points of the job's folder and of that with grid files. The library sees nothing else of the disk. */
export const jobFolder = '/job';
const gridFolder = '/grids';

/** Bytes written to this path go to `output`. */
export const outputPath = '/output';

export interface Gdal {
  /** Opens a dataset. Throws if none of the drivers can open it. */
  open(
    path: string,
    what: 'vector' | 'raster',
    drivers: readonly string[],
    options: readonly string[],
  ): Pointer;
  close(dataset: Pointer): void;
  /** The output of `ogrinfo` with these arguments. */
  info(dataset: Pointer, args: readonly string[]): string;
  /** Runs `ogr2ogr` with these arguments. Throws when it fails. */
  translate(target: string, dataset: Pointer, args: readonly string[]): void;
  /** The output of `gdalinfo` with these arguments. */
  rasterInfo(dataset: Pointer, args: readonly string[]): string;
  /** Runs `gdal_translate` with these arguments. Throws when it fails. */
  rasterTranslate(target: string, dataset: Pointer, args: readonly string[]): void;
  /** Runs `gdalwarp` with these arguments. Throws when it fails. */
  warp(target: string, dataset: Pointer, args: readonly string[]): void;
  setOption(name: string, value: string): void;
}

export interface GdalHost {
  /** The folder of the job. */
  folder: string;
  /** A folder of grid files for PROJ; empty: there is none. */
  grids: string;
  /** Receives the bytes that are written to `outputPath`. */
  output(bytes: Uint8Array): void;
  /** Receives each line that GDAL reports: `ERROR 1: …`, `Warning 1: …`. */
  said(line: string): void;
}

const settings = {
  PROJ_LIB: '/usr/share/proj',
  GDAL_DATA: '/usr/share/gdal',
  GDAL_NUM_THREADS: '1',
  PG_USE_COPY: 'YES',
  // Batch reading gives wrong dates before 1902 in this build.
  OGR2OGR_USE_ARROW_API: 'NO',
  OGR_GEOJSON_MAX_OBJ_SIZE: '0',
};

const gridSettings = { PROJ_LIB: `${settings.PROJ_LIB}:${gridFolder}` };

/** The used part of the WebAssembly API, which the types of Node lack. */
declare const WebAssembly: {
  compile(code: Buffer): Promise<object>;
  instantiate(code: object, imports: object): Promise<object>;
};

let compiled: Promise<object> | undefined;

/** The code of the library, compiled once for all jobs of the process. */
function codeIn(folder: string): Promise<object> {
  compiled ??= readFile(join(folder, 'gdal3WebAssembly.wasm')).then((code) => WebAssembly.compile(code));
  return compiled;
}

/** Starts the library with new memory, for the folder of one job. */
export async function startGdal({ folder, grids, output, said }: GdalHost): Promise<Gdal> {
  const require = createRequire(import.meta.url);
  const script = require.resolve('gdal3.js/build/package/gdal3WebAssembly.js');
  const files = join(dirname(script), '../../dist/package');
  const start = require(script) as (options: object) => Promise<Module>;
  const module = await start({
    instantiateWasm: (imports: object, receive: (instance: object) => void) => {
      void codeIn(files).then(async (code) => receive(await WebAssembly.instantiate(code, imports)));
      return {};
    },
    // The loader prepends the working directory.
    locateFile: (name: string) => relative(process.cwd(), join(files, name)),
    print: () => {},
    printErr: said,
    preRun: [(starting: Module) => Object.assign(starting.ENV, settings, grids && gridSettings)],
  });
  const { FS } = module;
  FS.mkdir(jobFolder);
  FS.mount(module.NODEFS, { root: folder }, jobFolder);
  if (grids) {
    FS.mkdir(gridFolder);
    FS.mount(module.NODEFS, { root: grids }, gridFolder);
  }
  const device = FS.makedev(100, 1);
  FS.registerDevice(device, {
    open: () => {},
    close: () => {},
    write: (_stream: unknown, heap: Uint8Array, offset: number, length: number) => {
      output(heap.subarray(offset, offset + length));
      return length;
    },
  });
  FS.mkdev(outputPath, device);
  module.ccall('GDALAllRegister', null, [], []);
  return callsOf(module);
}

/** Flags of GDALOpenEx: kinds of datasets, and error reporting. */
const openFlags = { raster: 0x02 | 0x40, vector: 0x04 | 0x40 };

type Call = (name: string, types: string, values: readonly unknown[]) => number;

function callsOf(module: Module): Gdal {
  const call: Call = (name, types, values) =>
    module.ccall(
      name,
      'number',
      [...types].map((type) => (type === 's' ? 'string' : 'number')),
      values,
    ) as number;
  return {
    open: (path, what, drivers, options) =>
      withTextList(module, drivers, (allowed) =>
        withTextList(module, options, (opening) => {
          const dataset = call('GDALOpenEx', 'snnnn', [path, openFlags[what], allowed, opening, 0]);
          if (!dataset) throw new Error('not opened');
          return dataset;
        }),
      ),
    close: (dataset) => void call('GDALClose', 'n', [dataset]),
    info: (dataset, args) => said(module, call, { name: 'GDALVectorInfo', dataset, args }),
    rasterInfo: (dataset, args) => said(module, call, { name: 'GDALInfo', dataset, args }),
    translate: (target, dataset, args) =>
      withOptions(module, call, { name: 'GDALVectorTranslateOptions', args }, (options) =>
        withPointers(module, [dataset, 0], (pointers) =>
          written(
            call,
            call('GDALVectorTranslate', 'snnnnn', [target, 0, 1, pointers, options, pointers + 4]),
          ),
        ),
      ),
    rasterTranslate: (target, dataset, args) =>
      withOptions(module, call, { name: 'GDALTranslateOptions', args }, (options) =>
        written(call, call('GDALTranslate', 'snnn', [target, dataset, options, 0])),
      ),
    warp: (target, dataset, args) =>
      withOptions(module, call, { name: 'GDALWarpAppOptions', args }, (options) =>
        withPointers(module, [dataset], (pointers) =>
          written(call, call('GDALWarp', 'snnnnn', [target, 0, 1, pointers, options, 0])),
        ),
      ),
    setOption: (name, value) => void call('CPLSetConfigOption', 'ss', [name, value]),
  };
}

/** Options of one of GDAL's programs, freed after the call. */
function withOptions<T>(
  module: Module,
  call: Call,
  { name, args }: { name: string; args: readonly string[] },
  work: (options: Pointer) => T,
): T {
  const options = withTextList(module, args, (list) => call(`${name}New`, 'nn', [list, 0]));
  if (!options) throw new Error('options not understood');
  try {
    return work(options);
  } finally {
    call(`${name}Free`, 'n', [options]);
  }
}

const said = (
  module: Module,
  call: Call,
  { name, dataset, args }: { name: string; dataset: Pointer; args: readonly string[] },
): string =>
  withOptions(module, call, { name: `${name}Options`, args }, (options) => {
    const text = module.ccall(name, 'string', ['number', 'number'], [dataset, options]);
    return text as string;
  });

/** Closes a written dataset, which flushes it to disk. Throws if there is none. */
function written(call: Call, dataset: Pointer): void {
  if (!dataset) throw new Error('not translated');
  call('GDALClose', 'n', [dataset]);
}

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { fromMercator, mercatorToleranceMetres, srsName, toMercator, wgs84 } from '@cartulary/geo';
import { readFolder, setPriorityOf } from '@cartulary/runtime';
import type { ProjectionOrder, ProjectionReport } from './projection-process.js';

/** Throws an Error for the operator when the folder of grid files is unreadable or has a database of PROJ; '' is no folder. */
export function checkGridFolder(folder: string): void {
  const setting = 'CARTULARY_PROJ_GRIDS';
  // It would take the place of that of Mapnik's PROJ, which may be of another version.
  if (readFolder(setting, folder).includes('proj.db'))
    throw new Error(`${setting}=${folder}: it has a proj.db; put the grid files alone into a folder`);
}

/** An opened projection. */
export interface Projection {
  /** Longitudes and latitudes on WGS 84 in degrees: x0, y0, x1, y1 …; not finite where the transformation fails. */
  toWgs84(xy: Float64Array): Promise<Float64Array>;
  /** Whether positions were not shifted from their datum, since PROJ does not know it: metres to hundreds of metres. */
  isUnshifted(): boolean;
  close(): void;
}

/**
 * Opens a projection in the form of `parseSrs`. `grids`: a folder with grid files, by which PROJ shifts datums more
 * exactly; empty: there is none. Throws 400 naming `srs` when PROJ does not know it.
 */
export async function openProjection(srs: string, grids = ''): Promise<Projection> {
  if (srs === 'EPSG:3857')
    return { toWgs84: async (xy) => ofMercator(xy), isUnshifted: () => false, close: () => {} };
  const process = startProcess(grids);
  const report = await process.ask({ srs });
  let isUnshifted = false;
  if ('ready' in report && report.ready)
    return {
      toWgs84: (xy) => inSlices(process, xy, (unshifted) => (isUnshifted ||= unshifted)),
      isUnshifted: () => isUnshifted,
      close: process.end,
    };
  process.end();
  throw badRequest(`srs: '${srs.slice(0, 50)}' is not a known projection`, { parameters: ['srs'] });
}

/** Alternating x and y in a projection. */
export interface Positions {
  srs: string;
  xy: Float64Array;
}

export interface Projections {
  transform(positions: Positions): Promise<Float64Array>;
  close(): void;
}

/** Transforms coordinates. A given projection is opened at once, the file's projections on demand. */
export async function openProjections(
  given: string | undefined,
  { grids, note }: { grids?: string | undefined; note?(text: string): unknown } = {},
): Promise<Projections> {
  const open = async (srs: string) => ({ srs, ...(await openProjection(srs, grids)) });
  let current: (Projection & { srs: string }) | undefined =
    given === undefined || given === wgs84 ? undefined : await open(given);
  return {
    async transform({ srs, xy }) {
      if (current?.srs !== srs) {
        current?.close();
        current = undefined;
        current = await open(srs).catch((error) => {
          throw ofFile(error, srs);
        });
      }
      const positions = await current.toWgs84(xy);
      if (current.isUnshifted()) note?.(noteOf('datumUnknown', { srs: srsName(srs) }));
      return positions;
    },
    close: () => current?.close(),
  };
}

/** An unknown projection of the file is an `import_failed`, not a bad request. */
function ofFile(error: unknown, srs: string): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'bad_request') return error;
  const message = noteOf('projectionUnknown', { srs: srsName(srs) });
  return new ServiceError('import_failed', message, { parameters: ['srs'] });
}

/** Half the width of EPSG:3857 in metres, plus the rounding that `checkFileGeometry` accepts; PROJ would wrap it. */
const farthest = toMercator(180, 0)[0] + mercatorToleranceMetres;

function ofMercator(xy: Float64Array): Float64Array {
  const result = new Float64Array(xy.length);
  for (let i = 0; i < xy.length; i += 2) {
    const isInside = Math.abs(xy[i]!) <= farthest;
    result.set(isInside ? fromMercator(xy[i]!, xy[i + 1]!) : [Number.NaN, Number.NaN], i);
  }
  return result;
}

/** Numbers per message, so that no message blocks the event loop for long. */
const numbersPerMessage = 100_000;

async function inSlices(
  { ask }: Process,
  xy: Float64Array,
  noteShift: (unshifted: boolean) => unknown,
): Promise<Float64Array> {
  const result = new Float64Array(xy.length);
  for (let from = 0; from < xy.length; from += numbersPerMessage) {
    const report = await ask({ xy: xy.slice(from, from + numbersPerMessage) });
    if (!('xy' in report)) continue;
    result.set(report.xy, from);
    noteShift(report.unshifted);
  }
  return result;
}

interface Process {
  ask(order: ProjectionOrder): Promise<ProjectionReport>;
  end(): void;
}

const answerTimeoutMs = 30_000;

function startProcess(grids: string): Process {
  const file = fileURLToPath(new URL('./projection-process.js', import.meta.url));
  const child: ChildProcess = fork(file, [], {
    serialization: 'advanced',
    execArgv: [],
    // The first folder in which PROJ looks for grids; its database stays that of Mapnik's package.
    env: { PATH: process.env.PATH, ...(grids && { PROJ_USER_WRITABLE_DIRECTORY: grids }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  setPriorityOf(child.pid, 'drawing');
  // This listener also catches a failed start, which the process reports before any order.
  child.on('error', () => {});
  const end = (): void => void child.kill('SIGKILL');
  const ask = (order: ProjectionOrder): Promise<ProjectionReport> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(end, answerTimeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        child.off('message', answered).off('error', failed).off('exit', failed);
      };
      const answered = (report: unknown): void => {
        settle();
        resolve(report as ProjectionReport);
      };
      const failed = (): void => {
        settle();
        reject(new ServiceError('import_failed', 'The coordinates could not be transformed'));
      };
      child.on('message', answered).on('error', failed).on('exit', failed);
      child.send(order, (error) => error && failed());
    });
  return { ask, end };
}

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { badRequest, ServiceError } from '../errors.js';
import { fromMercator, mercatorTolerance, toMercator } from '../geo/bbox.js';
import { srsName, wgs84 } from '../geo/srs.js';
import type { ProjectionOrder, ProjectionReport } from './projection-process.js';
import type { Wanted } from './reading.js';

/** A projection of which coordinates are transformed. */
export interface Projection {
  /** Longitudes and latitudes on WGS 84 in degrees, in the order x0, y0, x1, y1 …; not finite where a position has none. */
  toWgs84(xy: Float64Array): Promise<Float64Array>;
  close(): void;
}

/** Opens a projection in the form of `parseSrs`. Throws 400 naming `srs` for one that PROJ does not know. */
export async function openProjection(srs: string): Promise<Projection> {
  if (srs === 'EPSG:3857') return { toWgs84: async (xy) => ofMercator(xy), close: () => {} };
  const process = startProcess();
  const report = await process.ask({ srs });
  if ('ready' in report && report.ready)
    return { toWgs84: (xy) => inSlices(process, xy), close: process.end };
  process.end();
  throw badRequest(`srs: '${srs.slice(0, 50)}' is not a known projection`, { parameters: ['srs'] });
}

export interface Projections {
  transform(wanted: Wanted): Promise<Float64Array>;
  close(): void;
}

/** Transforms coordinates; a projection that was given is looked up at once, those of the file as they are met. */
export async function openProjections(given: string | undefined): Promise<Projections> {
  const open = async (srs: string) => ({ srs, ...(await openProjection(srs)) });
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
      return current.toWgs84(xy);
    },
    close: () => current?.close(),
  };
}

/** The request was right where it is the file that names a projection which is not known. */
function ofFile(error: unknown, srs: string): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'bad_request') return error;
  const message = `The projection of the file is not known (${srsName(srs)}): give srs`;
  return new ServiceError('import_failed', message, { parameters: ['srs'] });
}

/** Half the width of EPSG:3857, m, and a little for rounding, which `checkFileGeometry` takes to the edge: PROJ would wrap it. */
const farthest = toMercator(180, 0)[0] + mercatorTolerance;

function ofMercator(xy: Float64Array): Float64Array {
  const result = new Float64Array(xy.length);
  for (let i = 0; i < xy.length; i += 2) {
    const isInside = Math.abs(xy[i]!) <= farthest;
    result.set(isInside ? fromMercator(xy[i]!, xy[i + 1]!) : [Number.NaN, Number.NaN], i);
  }
  return result;
}

/** Numbers of one message: the thread that answers requests should not be held up by it. */
const slice = 100_000;

async function inSlices({ ask }: Process, xy: Float64Array): Promise<Float64Array> {
  const result = new Float64Array(xy.length);
  for (let from = 0; from < xy.length; from += slice) {
    const report = await ask({ xy: xy.slice(from, from + slice) });
    if ('xy' in report) result.set(report.xy, from);
  }
  return result;
}

interface Process {
  ask(order: ProjectionOrder): Promise<ProjectionReport>;
  end(): void;
}

/** Longest time of one answer, ms. */
const patience = 30_000;

function startProcess(): Process {
  const file = fileURLToPath(new URL('./projection-process.js', import.meta.url));
  const child: ChildProcess = fork(file, [], {
    serialization: 'advanced',
    execArgv: [],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Without an order, too: one that could not be started says so before it is given any.
  child.on('error', () => {});
  const end = (): void => void child.kill('SIGKILL');
  const ask = (order: ProjectionOrder): Promise<ProjectionReport> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(end, patience);
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

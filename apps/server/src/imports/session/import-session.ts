import { badRequest } from '../errors.js';
import { parseSrs } from '../geo/srs.js';
import { type Layer, ownsObjects } from '../layers/layers.js';
import type { ImportOptions, Input } from './import.js';
import { checkLocalized } from './plan.js';
import { openProjections, type Projections } from './projection.js';
import { type ReadingThread, startReading } from './reading-thread.js';
import { openSources, type Sources } from './sources.js';

/** A file that is about to be read. */
export interface Begun {
  layer: Layer;
  sources: Sources;
  /** The thread that reads it. */
  thread: ReadingThread;
  transform: Projections['transform'];
  /** Another thread, which has read nothing of it. */
  restart(): Promise<ReadingThread>;
}

/** Checks what is to be done with a file, and is ready to read it as long as the work takes. */
export async function withReading<T>(
  layer: Layer,
  input: Input,
  options: ImportOptions,
  work: (begun: Begun) => Promise<T>,
): Promise<T> {
  if (!ownsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' takes no import`);
  const srs = options.srs === undefined ? undefined : parseSrs(options.srs);
  checkLocalized(options.localized ?? [], layer.columns);
  const { transform, close } = await openProjections(srs);
  const sources = openSources(input.sources);
  const start = (): ReadingThread => startReading(readingOptions(layer, srs, options));
  let thread = start();
  const restart = async (): Promise<ReadingThread> => {
    await thread.stop();
    thread = start();
    return thread;
  };
  try {
    return await work({ layer, sources, thread, transform, restart });
  } finally {
    await thread.stop();
    await sources.close();
    close();
  }
}

const readingOptions = (layer: Layer, srs: string | undefined, options: ImportOptions) => ({
  featureLimit: options.featureLimit,
  srs,
  skipErrors: options.skipErrors ?? false,
  columns: layer.columns,
  languages: options.languages,
  language: options.language ?? options.languages[0]!,
  propertyLimit: options.columnLimit,
});

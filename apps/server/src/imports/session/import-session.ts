import { badRequest } from '@cartulary/errors';
import { type Input, type ReadingThread, startReading } from '@cartulary/formats';
import { parseSrs } from '@cartulary/geo';
import { openProjections, type Projections } from '@cartulary/renderer';
import { type Layer, ownsObjects } from '../../layers/layers.js';
import { openSources, type Sources } from '../sources.js';
import { assignColumns } from './choices.js';
import { checkKey } from './key.js';
import type { ImportOptions } from './options.js';
import { checkLocalized } from './plan.js';

/** A file that is ready to be read into a layer. */
export interface ImportSession {
  layer: Layer;
  sources: Sources;
  thread: ReadingThread;
  transform: Projections['transform'];
  /** Stops the thread and gives a new one, which has read nothing. */
  restart(): Promise<ReadingThread>;
}

/** Checks the options of an import, and opens what reads the file for the time of the work. Throws 400. */
export async function withReading<T>(
  layer: Layer,
  input: Input,
  options: ImportOptions,
  work: (session: ImportSession) => Promise<T>,
): Promise<T> {
  if (!ownsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' takes no import`);
  const srs = options.srs === undefined ? undefined : parseSrs(options.srs);
  checkLocalized(options.localized ?? [], layer.columns);
  checkKey(options.key ?? [], layer.columns);
  const { transform, close } = await openProjections(srs, {
    grids: options.projectionGrids,
    note: (text) => input.notes.includes(text) || input.notes.push(text),
  });
  const sources = openSources(input.sources);
  const start = (): ReadingThread => startReading(readingOptions(layer, srs, options), options.signal);
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
  assigned: assignColumns(options.choices ?? [], { ...options, columns: layer.columns }),
});

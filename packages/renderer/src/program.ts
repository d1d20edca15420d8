import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Path of the worker's program for `fork`. */
export const workerFile = fileURLToPath(new URL('./worker.js', import.meta.url));

const { dependencies } = createRequire(import.meta.url)('../../package.json') as {
  dependencies: Record<string, string>;
};

/** Versions of the drawing programs: another version may draw other pixels. */
export const drawingPrograms = [dependencies['@mapnik/mapnik'], dependencies.harfbuzzjs];

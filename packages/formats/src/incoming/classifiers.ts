import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Classifier, readClassifier } from '../sxf/classifier.js';
import type { Dataset } from './datasets.js';

/** Largest classifier that is read, bytes. Those of topographic maps have about 3 MB. */
const largest = 64 * 1024 * 1024;

/** The classifier of a map: the .rsc with its name, or the only one in the archive, since many maps share one. */
export async function classifierBeside(folder: string, { file }: Dataset): Promise<Classifier | undefined> {
  const all = (await readdir(folder)).filter((name) => name.endsWith('.rsc'));
  const own = file.replace(/\.sxf$/, '.rsc');
  const name = all.includes(own) ? own : all.length === 1 ? all[0] : undefined;
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return (await stat(path)).size > largest ? undefined : readClassifier(await readFile(path));
}

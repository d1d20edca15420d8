import { readFile } from 'node:fs/promises';
import { landFile } from '../data/land.js';
import { raceImport } from './imports.js';
import type { Row } from './row.js';

/** A file of few and very large features. */
export const land: Row = {
  code: 'land',
  what: 'import of 160 MB of very large polygons, fetched by npm pack',
  isExtra: true,
  async measure(stage) {
    const file = await landFile();
    const features = (await readFile(file, 'latin1')).split('"Feature"').length - 1;
    const found = await raceImport(stage, { code: 'land', ours: file, theirs: file, features });
    return { findings: [{ ...found, target: { atLeast: 1 } }] };
  },
};

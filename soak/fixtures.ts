import { readFileSync } from 'node:fs';

/** Reads a file of the import tests. */
export const readFixture = (name: string): Buffer =>
  readFileSync(new URL(`../../apps/server/test/formats/fixtures/${name}`, import.meta.url));

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const pages = fileURLToPath(new URL('../../../../../web/dist/pages/', import.meta.url));

/** Bytes of files, packed as the service sends them. */
const packedBytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => {
    const packed = statSync(join(pages, `${file}.br`), { throwIfNoEntry: false });
    return sum + (packed ?? statSync(join(pages, file))).size;
  }, 0);

/** The scripts and styles that a page loads first. */
function firstFiles(page: string): string[] {
  const html = readFileSync(join(pages, page, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="__BASE__\/(assets\/[^"]+\.(?:js|css))"/g)];
  assert.ok(files.length > 0, 'the page names its scripts');
  return files.map(([, file]) => file!);
}

/** The map library with the code of the map, which pages load for a map. The worker of the library is loaded beside it. */
const mapFiles = (): string[] =>
  readdirSync(join(pages, 'assets'))
    .filter((file) => /^(?:mapView|tiles)-[^.]+\.(?:js|css)$/.test(file))
    .map((file) => `assets/${file}`);

for (const [page, limit, files] of [
  ['console', 350_000, () => firstFiles('console')],
  ['viewer, with its map,', 400_000, () => [...firstFiles('viewer'), ...mapFiles()]],
] as const)
  test(`the first load of the page ${page} has at most ${limit} bytes`, () => {
    const bytes = packedBytes(files());
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });

test('what is left of the styles of libraries is whole', () => {
  for (const file of readdirSync(join(pages, 'assets')).filter((one) => one.endsWith('.css'))) {
    const css = readFileSync(join(pages, 'assets', file), 'utf8').replace(/url\("[^"]*"\)|"[^"]*"/g, '');
    const count = (sign: string): number => css.split(sign).length - 1;
    assert.deepEqual([count('('), count('{')], [count(')'), count('}')], file);
  }
});

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const pages = fileURLToPath(new URL('../../../../../web/dist/pages/', import.meta.url));

/** Bytes of the scripts and styles that a page loads first, packed as the service sends them. */
function packedBytes(page: string): number {
  const html = readFileSync(join(pages, page, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="__BASE__\/(assets\/[^"]+\.(?:js|css))"/g)];
  assert.ok(files.length > 0, 'the page names its scripts');
  return files.reduce((sum, [, file]) => {
    const packed = statSync(join(pages, `${file}.br`), { throwIfNoEntry: false });
    return sum + (packed ?? statSync(join(pages, file!))).size;
  }, 0);
}

for (const [page, limit] of [
  ['console', 350_000],
  ['viewer', 400_000],
] as const)
  test(`the first load of the page ${page} has at most ${limit} bytes`, () => {
    const bytes = packedBytes(page);
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });

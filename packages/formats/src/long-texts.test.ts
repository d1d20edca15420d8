import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { encodingOf } from './encodings/charsets.js';
import { demandEnd } from './incoming/dxf.js';
import { tabWithoutObjects } from './incoming/tab.js';
import { kmlGeometry } from './readers/kml/kml-geometry.js';
import { pairOf } from './tables/coordinate-text.js';
import { newTextUse, noteText } from './tables/text-values.js';
import { beginsAsWkt, fromWkt } from './tables/wkt.js';

/*
 * A file chooses its texts: patterns over them must not try each run of blanks or digits from each of its characters. With such
 * patterns this file takes hours.
 */
const blanks = '\t'.repeat(400_000);
const lines = '\n'.repeat(8_000);

test('cells with long runs', () => {
  assert.equal(beginsAsWkt(`POINT${blanks}x`), false);
  assert.throws(() => fromWkt(`POINT${blanks}x`));
  assert.equal(beginsAsWkt(`POINT${blanks}ZM (1`), true);
  assert.equal(pairOf(`48${blanks}x`), undefined);
  const use = newTextUse();
  noteText(use, `${blanks}1${blanks}x`, { given: undefined, usual: undefined });
  assert.equal(use.can, 0);
  const child = (name: string, text: string, children: unknown[] = []) => ({
    name,
    text,
    children,
    attributes: {},
  });
  const point = child('Point', '', [child('coordinates', `${'0'.repeat(400_000)}x,1`)]);
  assert.throws(() => kmlGeometry(child('Placemark', '', [point]) as never, () => {}));
});

test('heads of files with long runs', async () => {
  assert.equal(tabWithoutObjects(Buffer.from(`${lines.repeat(50)}create`)), undefined);
  const folder = await mkdtemp(join(tmpdir(), 'long-'));
  try {
    for (const [file, text] of [
      ['a.dxf', `$ACADVER${lines}1${lines}1\n$DWGCODEPAGE${lines}3${lines}`],
      ['b.mif', lines],
    ] as const) {
      await writeFile(join(folder, file), text);
      const kind = file.slice(-3) as 'dxf' | 'mif';
      const dataset = { kind, file, name: file, beside: new Set(), isOwn: false };
      await encodingOf(folder, dataset as never, undefined);
    }
    await assert.rejects(demandEnd(join(folder, 'b.mif'), 'b'));
    for (const end of ['0\nEOF', '  0\r\nEOF\r\n\u001a', '0\n\n EOF \n\0\0']) {
      await writeFile(join(folder, 'c.dxf'), `ENDSEC\n${end}`);
      await demandEnd(join(folder, 'c.dxf'), 'c');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

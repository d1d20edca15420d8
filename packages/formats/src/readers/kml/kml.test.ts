import assert from 'node:assert/strict';
import test from 'node:test';
import { createKmlReader } from './kml.js';

test('a tag, comment or text without end is refused by its length, wherever it stands', () => {
  const options = { first: 1, featureLimit: 10_000, encoding: 'utf-8' };
  const listeners = { found: () => {}, remark: () => {}, note: () => {}, own: () => {} };
  for (const begin of ['<Placemark id="', '<!--', '<Document><name>', '<x', '<?x ']) {
    const reader = createKmlReader({ ...options, ...listeners } as never);
    const push = (text: string) => reader.push(Buffer.from(text));
    push(`<kml>${begin}`);
    assert.throws(
      () => {
        for (let i = 0; i < 20; i++) push('x'.repeat(1_000));
      },
      { code: 'too_large' },
    );
  }
  const reader = createKmlReader({ ...options, ...listeners } as never);
  reader.push(Buffer.from('<kml><Document>'));
  for (let i = 0; i < 50; i++)
    assert.equal(reader.push(Buffer.from(`<!--${'x'.repeat(900)}--><Placemark/>`)).length, 1);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { findFonts } from './files.js';
import { withoutOverlaps } from './overlaps.js';

test('every glyph loses its overlap flag, and nothing else changes', () => {
  const [{ regular, bold } = assert.fail()] = findFonts('');
  for (const file of [regular, bold]) {
    const font = readFileSync(file);
    const cleared = withoutOverlaps(font);
    assert.equal(cleared.length, font.length);
    const changes = new Map<number, number>();
    for (const [i, byte] of font.entries()) {
      const change = byte - cleared[i]!;
      if (change !== 0) changes.set(change, (changes.get(change) ?? 0) + 1);
    }
    // Glyphs with own points, and composite glyphs.
    assert.deepEqual(
      changes,
      new Map([
        [0x40, 2642],
        [0x04, 1826],
      ]),
    );
    assert.ok(withoutOverlaps(cleared).equals(cleared));
  }
});

test('a font with other outlines stays unchanged', () => {
  const font = Buffer.concat([Buffer.from('OTTO\0\x01\0\0\0\0\0\0CFF ', 'latin1'), Buffer.alloc(12)]);
  assert.ok(withoutOverlaps(font).equals(font));
});

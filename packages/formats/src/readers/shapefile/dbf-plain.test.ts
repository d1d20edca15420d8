import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { dbfValue } from './dbf.js';
import { asciiText, plainNumber } from './dbf-plain.js';

/** The value that the general reader gives for a field; undefined if it refuses it. */
function usual(type: string, bytes: Buffer): unknown {
  const field = { name: 'f', type, at: 1, length: bytes.length };
  try {
    return dbfValue(field, Buffer.concat([Buffer.from(' '), bytes, Buffer.from('9x')]), (text) => text);
  } catch {
    return undefined;
  }
}

const plain = (text: string): number | null | undefined =>
  plainNumber(Buffer.from(` ${text}9x`), 1, text.length);

test("a plain number equals the general reader's value to the last digit; other values are left to that reader", () => {
  const digits = fc.stringMatching(/^ {0,4}-?[0-9]{0,20}\.?[0-9]{0,25} {0,4}$/);
  const anything = fc.stringMatching(/^[-+0-9.,eE* na]{0,12}$/);
  fc.assert(
    fc.property(fc.oneof(digits, anything), (text) => {
      const value = plain(text);
      if (value === undefined) return;
      assert.ok(!Object.is(value, -0), text);
      const other = usual('N', Buffer.from(text));
      assert.equal(value, other === 0 ? 0 : other, text);
    }),
    { numRuns: 5_000 },
  );
});

test('which numbers are plain', () => {
  for (const [text, value] of [
    ['', null],
    ['    ', null],
    ['  42 ', 42],
    ['-0', 0],
    ['-0.50', -0.5],
    ['66666.666666666671517', 66666.66666666667],
    ['9007199254740991', 2 ** 53 - 1],
    ['-9007199254740993', undefined],
    ['1e5', undefined],
    ['1,5', undefined],
    ['+1', undefined],
    ['***', undefined],
    ['1.2.3', undefined],
    ['-', undefined],
    ['.', undefined],
    ['1 2', undefined],
  ] as const)
    assert.equal(plain(text), value, text);
});

test('a plain text ends before its trailing blanks and contains no character 0', () => {
  const bytes = fc.uint8Array({ maxLength: 12 });
  fc.assert(
    fc.property(
      fc.oneof(
        bytes,
        fc.stringMatching(/^[ a\0é]{0,9}$/).map((text) => Buffer.from(text)),
      ),
      (content) => {
        const record = Buffer.concat([Buffer.from(' '), content, Buffer.from('9x')]);
        const found = asciiText(record, 1, content.length);
        const text = usual('C', Buffer.from(content)) as string | null;
        if (!found) return assert.ok(text?.includes('\0'));
        assert.equal(record.toString('latin1', 1, found.end), text ?? '');
        assert.equal(found.isAscii, !/[^\0-\x7f]/.test(text ?? ''));
      },
    ),
    { numRuns: 2_000 },
  );
});

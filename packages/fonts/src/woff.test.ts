import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { deflateSync } from 'node:zlib';
import { findFonts } from './files.js';
import { plainFont } from './woff.js';

const plain = readFileSync(findFonts('')[0]!.regular);

/** Tables by their tags. */
function tablesOf(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, i) => font.subarray(12 + 16 * i));
  return new Map(
    entries.map((entry) => {
      const offset = entry.readUInt32BE(8);
      return [
        entry.toString('latin1', 0, 4),
        font.subarray(offset, offset + entry.readUInt32BE(12)),
      ] as const;
    }),
  );
}

/** Encodes a WOFF; tables that deflate does not shrink stay uncompressed. */
function woffOf(font: Buffer): Buffer {
  const tables = [...tablesOf(font)];
  const head = Buffer.alloc(44 + 20 * tables.length);
  head.write('wOFF', 'latin1');
  font.copy(head, 4, 0, 4);
  head.writeUInt16BE(tables.length, 12);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const [i, [tag, table]] of tables.entries()) {
    const deflated = deflateSync(table);
    const stored = deflated.length < table.length ? deflated : table;
    const place = 44 + 20 * i;
    head.write(tag, place, 'latin1');
    for (const [k, value] of [at, stored.length, table.length].entries())
      head.writeUInt32BE(value, place + 4 + 4 * k);
    parts.push(stored);
    at += stored.length;
  }
  return Buffer.concat(parts);
}

test('a WOFF font has the tables of the plain one', () => {
  const made = plainFont(woffOf(plain));
  assert.equal(made.readUInt32BE(0), plain.readUInt32BE(0));
  assert.deepEqual(tablesOf(made), tablesOf(plain));
});

test('other fonts stay unchanged', () => assert.equal(plainFont(plain), plain));

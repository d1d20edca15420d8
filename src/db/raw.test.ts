import assert from 'node:assert/strict';
import test from 'node:test';
import { type RawRow, rowSplitter } from './raw.js';

function message(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(type);
  bytes.writeUInt32BE(4 + body.length, 1);
  body.copy(bytes, 5);
  return bytes;
}

function row(...values: (string | null)[]): Buffer {
  const parts = [Buffer.alloc(2)];
  parts[0]!.writeUInt16BE(values.length);
  for (const value of values) {
    const size = Buffer.alloc(4);
    size.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
    parts.push(size, Buffer.from(value ?? ''));
  }
  return message('D', Buffer.concat(parts));
}

const others = [
  message('1', Buffer.alloc(0)),
  message('T', Buffer.from('DDD\0D')),
  message('C', Buffer.from('SELECT 3\0')),
  message('Z', Buffer.from('I')),
];
const all = Buffer.concat([
  others[0]!,
  others[1]!,
  row('a', null, '', 'Привет'),
  row(),
  row('D'.repeat(300)),
  others[2]!,
  others[3]!,
  row('next'),
]);

/** What becomes of the bytes when they come in pieces of a size. */
function split(bytes: Buffer, size: number): { rows: (string | null)[][]; passed: Buffer } {
  const rows: RawRow[] = [];
  const passed: Buffer[] = [];
  const read = rowSplitter(
    (found) => rows.push(found),
    (messages) => passed.push(Buffer.from(messages)),
  );
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return {
    rows: rows.map((values) => values.map((value) => value?.toString() ?? null)),
    passed: Buffer.concat(passed),
  };
}

test('rows are taken out, all else passes as it came, in pieces of whatever size', () => {
  for (const size of [1, 2, 3, 5, 7, 64, 100, all.length]) {
    const { rows, passed } = split(all, size);
    assert.deepEqual(rows, [['a', null, '', 'Привет'], [], ['D'.repeat(300)], ['next']], String(size));
    assert.deepEqual(passed, Buffer.concat(others), String(size));
  }
});

test('what has not come as a whole is kept back', () => {
  const { rows, passed } = split(all.subarray(0, all.length - 1), all.length);
  assert.equal(rows.length, 3);
  assert.deepEqual(passed, Buffer.concat(others));
});

test('what cannot be a message is refused', () => {
  assert.throws(() => split(Buffer.from('D\0\0\0\u0003xxxxx'), 100), /not its protocol/);
});

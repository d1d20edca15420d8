import assert from 'node:assert/strict';
import test from 'node:test';
import { LostConnection } from '../failure.js';
import { MessageSplitter, maxRowBytes, rowValues, typeOf } from './backend-messages.js';

function message(type: string, body: Buffer | string): Buffer {
  const content = Buffer.from(body as string, 'latin1');
  const bytes = Buffer.alloc(5 + content.length);
  bytes.write(type, 'latin1');
  bytes.writeUInt32BE(4 + content.length, 1);
  content.copy(bytes, 5);
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

const messages = [
  message('R', '\0\0\0\0'),
  message('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'),
  message('K', '\0\0\0\x01\0\0\0\x02'),
  message('S', 'TimeZone\0UTC\0'),
  message('1', ''),
  message('2', ''),
  message('n', ''),
  message('T', `\0\x01name\0${'\0'.repeat(18)}`),
  row('a', null, '', 'Привет'),
  row(),
  row('D'.repeat(300)),
  message('C', 'SELECT 3\0'),
  message('I', ''),
  message('3', ''),
  message('G', '\x01\0\x02\0\x01\0\x01'),
  message('E', 'SERROR\0C22012\0Mdivision by zero\0\0'),
  message('N', '\0'),
  message('A', '\0\0\0\x01channel\0\0'),
  message('Z', 'I'),
];

/** Splits bytes that come in chunks of a size. */
function split(bytes: Buffer, size: number): Buffer[] {
  const found: Buffer[] = [];
  const splitter = new MessageSplitter((one) => found.push(one), assert.fail);
  for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
  return found;
}

test('messages are split out of chunks of any size', () => {
  const all = Buffer.concat(messages);
  for (const size of [1, 2, 3, 5, 7, 64, 100, all.length]) assert.deepEqual(split(all, size), messages);
  assert.deepEqual(split(all.subarray(0, -1), all.length), messages.slice(0, -1));
});

test('a row that is too long is skipped, and what follows it is read', () => {
  const header = Buffer.from('D\0\0\0\0', 'latin1');
  header.writeUInt32BE(maxRowBytes, 1);
  const rest = Buffer.alloc(maxRowBytes - 4);
  for (const whole of [true, false]) {
    const found: string[] = [];
    const splitter = new MessageSplitter(
      (one) => found.push(one.toString('latin1')),
      () => found.push('skipped'),
    );
    const chunks = [messages[0]!, header, rest, messages[1]!];
    if (whole) splitter.push(Buffer.concat(chunks));
    else for (const chunk of chunks) splitter.push(chunk);
    assert.deepEqual(found, [String(messages[0]), 'skipped', String(messages[1])]);
  }
});

test('the values of a row are its bytes', () => {
  const values = messages.filter((one) => typeOf(one) === 68).map((one) => rowValues(one).map(String));
  assert.deepEqual(values, [['a', 'null', '', 'Привет'], [], ['D'.repeat(300)]]);
});

test('what is shorter or longer than its form is refused, and so is what has none', () => {
  const wrong = [
    ...messages
      .filter((one) => one.length > 5 && !'RK'.includes(String.fromCharCode(one[0]!)))
      .flatMap((one) =>
        [...Array(one.length - 5).keys()].map((length) =>
          message(String.fromCharCode(one[0]!), one.subarray(5, 5 + length)),
        ),
      ),
    ...messages.map((one) =>
      message(String.fromCharCode(one[0]!), Buffer.concat([one.subarray(5), Buffer.alloc(1, 66)])),
    ),
  ].filter((one) => !'RK'.includes(String.fromCharCode(one[0]!)));
  assert.ok(wrong.length > 100);
  for (const one of wrong)
    assert.throws(() => split(one, one.length), LostConnection, one.toString('latin1'));
  for (const bytes of [
    'D\0\0\0\x03xxxxx',
    '1\xff\xff\xff\xff',
    'D\x7f\xff\xff\xff',
    'Z\0\0\0\x05X',
    'R\0\0\0\x08\0\0\0\x07',
    'HTTP/1.1 200',
  ])
    assert.throws(() => split(Buffer.from(bytes, 'latin1'), 100), LostConnection, bytes);
  for (let type = 0; type < 256; type++)
    if (!'123nIZCSAKRENTGD'.includes(String.fromCharCode(type)))
      assert.throws(() => split(Buffer.from([type, 0, 0, 0, 4]), 100), LostConnection);
});

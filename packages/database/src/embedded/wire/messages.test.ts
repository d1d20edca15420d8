import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Message,
  messageReader,
  parseMessage,
  queryMessage,
  startupMessage,
  startupSettings,
  statementOf,
  syncMessage,
} from './messages.js';

const startup = startupMessage({ user: 'postgres', database: 'x', statement_timeout: '5000' });
const sslRequest = Buffer.from('0000000804d2162f', 'hex');

const read = (chunks: Buffer[]): Message[] => chunks.flatMap(messageReader());

test('a stream is split into its messages, in chunks of any size', () => {
  const text = `select '${'Щ'.repeat(3_000)}'`;
  const stream = Buffer.concat([
    sslRequest,
    startup,
    queryMessage(text),
    parseMessage('select 1'),
    syncMessage,
  ]);
  const whole = read([stream]);
  assert.deepEqual(
    whole.map(({ type }) => type),
    ['ssl', 'startup', 'Q', 'P', 'S'],
  );
  for (const size of [1, 2, 3, 7, 64, 1_000]) {
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
      stream.subarray(i * size, (i + 1) * size),
    );
    assert.deepEqual(read(chunks), whole, `in pieces of ${size}`);
  }
  assert.deepEqual(Buffer.concat(whole.map(({ bytes }) => bytes)), stream);
});

test('fields of messages are read', () => {
  assert.deepEqual(startupSettings(startup), { user: 'postgres', database: 'x', statement_timeout: '5000' });
  assert.deepEqual(startupSettings(startupMessage({})), {});
  const [, query, parse, sync] = read([
    startup,
    queryMessage('set x = 1'),
    parseMessage('select 2'),
    syncMessage,
  ]);
  assert.equal(statementOf(query!), 'set x = 1');
  assert.equal(statementOf(parse!), 'select 2');
  assert.equal(statementOf(sync!), '');
  const [, long] = read([startup, queryMessage('x'.repeat(5_000))]);
  assert.equal(statementOf(long!).length, 1_000);
});

test('bytes that are not of the protocol are refused', () => {
  for (const bytes of ['GET / HTTP/1.1\r\n', '\0\0\0\0\0\0\0\0', '\0\0\0\x08\0\x02\0\0']) {
    assert.throws(() => read([Buffer.from(bytes, 'latin1')]), /message of|not spoken/);
  }
  assert.throws(() => read([startup, Buffer.from('Q\0\0\0\x03', 'latin1')]), /message of 3 bytes/);
  assert.throws(() => read([startup, Buffer.from('Q\x7f\xff\xff\xff', 'latin1')]), /message of/);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { timeoutOf, timeoutSetBy } from './statement-timeout.js';

test('statements that change the timeout', () => {
  const local = (ms: number | undefined): object => ({ isLocal: true, ms });
  const lasting = (ms: number | undefined): object => ({ isLocal: false, ms });
  assert.deepEqual(timeoutSetBy('set local statement_timeout = 0'), local(0));
  assert.deepEqual(timeoutSetBy("SET LOCAL statement_timeout TO '5s'"), local(5_000));
  assert.deepEqual(timeoutSetBy("\n set statement_timeout='1 min';"), lasting(60_000));
  assert.deepEqual(timeoutSetBy('set session statement_timeout = 250'), lasting(250));
  assert.deepEqual(timeoutSetBy('set statement_timeout to default'), lasting(undefined));
  for (const text of ['select 1', 'set local lock_timeout = 1', "select 'set statement_timeout = 1'", '']) {
    assert.equal(timeoutSetBy(text), undefined, text);
  }
});

test('times', () => {
  for (const [text, ms] of [
    ['5000', 5_000],
    ['5000ms', 5_000],
    [' 2 s ', 2_000],
    ['1h', 3_600_000],
    ['0', 0],
    ['default', undefined],
    ['1x', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    assert.equal(timeoutOf(text), ms, text);
  }
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { createDumpReader } from './dump.js';

const text = { type: 'String', subType: 'None' };

/** The values of rows of two texts, in COPY's notation. */
function valuesOf(...rows: string[]): unknown[] {
  const reader = createDumpReader({
    fields: [
      { ...text, name: 'a' },
      { ...text, name: 'b' },
    ],
    encoding: { given: 'utf-8' },
    srs: undefined,
    first: 1,
    featureLimit: 1000,
    emptyPoints: false,
    heights: 'none',
    found: () => {},
  } as unknown as Parameters<typeof createDumpReader>[0]);
  const dump = ['COPY "public"."rows" ("a", "b") FROM STDIN;', ...rows, '\\.', ''].join('\n');
  return [...reader.push(Buffer.from(dump)), ...reader.end()].map(({ properties, error }) => {
    assert.equal(error, undefined);
    return Object.values(properties);
  });
}

test('tabs within texts, beside texts that are empty, null or end with a backslash', () => {
  assert.deepEqual(
    valuesOf('one\\\ttab\t', '\tone\\\ttab', 'one\\\ttab\t\\N', '\\\t\t\\\t', 'c:\\\\\tone\\\ttab'),
    [
      ['one\ttab', ''],
      ['', 'one\ttab'],
      ['one\ttab', null],
      ['\t', '\t'],
      ['c:\\', 'one\ttab'],
    ],
  );
});

test('line breaks within texts', () => {
  assert.deepEqual(valuesOf('one\\\nline\t', 'a\\\\\t\\\n'), [
    ['one\nline', ''],
    ['a\\', '\n'],
  ]);
});

test('a column of quotes, whose line of names has not come to its end', () => {
  const quotes = `"${'""'.repeat(40)}"`;
  const reader = createDumpReader({ fields: [], encoding: {} } as never);
  assert.deepEqual(reader.push(Buffer.from(`COPY "public"."rows" (${quotes}, "b`)), []);
});

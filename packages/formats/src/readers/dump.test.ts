import assert from 'node:assert/strict';
import test from 'node:test';
import { createDumpReader } from './dump.js';

const text = { type: 'String', subType: 'None' };

const options = {
  encoding: { given: 'utf-8' },
  srs: undefined,
  first: 1,
  featureLimit: 1000,
  emptyPoints: false,
  heights: 'none',
  found: () => {},
};

/** The features of rows of these columns, of which the ones in `fields` are values. */
function featuresOf(columns: string[], rows: string[], others: object) {
  const given = { ...options, ...others } as unknown as Parameters<typeof createDumpReader>[0];
  const reader = createDumpReader(given);
  const head = `COPY "public"."rows" (${columns.map((name) => `"${name}"`).join(', ')}) FROM STDIN;`;
  return [...reader.push(Buffer.from([head, ...rows, '\\.', ''].join('\n'))), ...reader.end()];
}

/** The values of rows of two texts, in COPY's notation. */
function valuesOf(...rows: string[]): unknown[] {
  const fields = ['a', 'b'].map((name) => ({ ...text, name }));
  return featuresOf(['a', 'b'], rows, { fields }).map(({ properties, error }) => {
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

test('rows in pieces of any length, also between a backslash and its sign', () => {
  const bytes = Buffer.from(
    'COPY "public"."rows" ("a") FROM STDIN;\none\\\nline\n\\\\\nc:\\\\\\\n\\\\\n\\.\n',
  );
  for (let size = 1; size < bytes.length; size++) {
    const reader = createDumpReader({ ...options, fields: [{ ...text, name: 'a' }] } as never);
    const features = [];
    for (let at = 0; at < bytes.length; at += size)
      features.push(...reader.push(bytes.subarray(at, at + size)));
    features.push(...reader.end());
    const values = features.map(({ properties }) => properties.a);
    assert.deepEqual(values, ['one\nline', '\\', 'c:\\\n\\'], `pieces of ${size}`);
  }
});

test('a row of many pieces is read whole', () => {
  const reader = createDumpReader({
    ...options,
    featureLimit: 2 ** 26,
    fields: [{ ...text, name: 'a' }],
  } as never);
  reader.push(Buffer.from('COPY "public"."rows" ("a") FROM STDIN;\n'));
  const piece = Buffer.from('one\\\n'.repeat(100));
  for (let i = 0; i < 20_000; i++) reader.push(piece);
  const [feature] = reader.push(Buffer.from('\n\\.\n'));
  assert.equal((feature!.properties.a as string).length, 8_000_000);
});

test('a column of quotes, whose line of names has not come to its end', () => {
  const quotes = `"${'""'.repeat(40)}"`;
  const reader = createDumpReader({ fields: [], encoding: {} } as never);
  assert.deepEqual(reader.push(Buffer.from(`COPY "public"."rows" (${quotes}, "b`)), []);
});

test('measures are told once for each feature that has some, whatever the layer says of its geometries', () => {
  const point = (flags: string, ...numbers: number[]): string => {
    const bytes = Buffer.alloc(numbers.length * 8);
    for (const [i, number] of numbers.entries()) bytes.writeDoubleLE(number, 8 * i);
    return `01010000${flags}${bytes.toString('hex')}`;
  };
  const both = `0107000000${'02000000'}${point('40', 1, 2, 4)}${point('c0', 1, 2, 3, 4)}`;
  const rows = [point('00', 1, 2), point('80', 1, 2, 3), point('c0', 1, 2, 3, 4), both];
  const told: unknown[] = [];
  const remark = (...remarks: unknown[]) => told.push(remarks.map(String));
  const features = featuresOf(['__geometry'], rows, { fields: [], remark, heights: 'some' });
  assert.deepEqual(
    told,
    [3, 4].map((number) => ['measures (M) of positions', 'not read, left out', String(number)]),
  );
  assert.deepEqual((features[2]!.geometry as { coordinates: unknown }).coordinates, [1, 2, 3]);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import iconv from 'iconv-lite';
import { type Formats, startFormats } from '../support.js';

let formats: Formats;
let layer: string;

test.before(async () => {
  formats = await startFormats({ CARTULARY_TABLE_COLUMNS: '100', CARTULARY_COLUMN_LIMIT: '50' });
  layer = await formats.newLayer({ code: 'n', type: 'number' });
});
test.after(() => formats.server.stop());

const sent = (body: string): Promise<Response> =>
  fetch(`${formats.server.api}/m/layers/${layer}/import/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${formats.server.adminToken}`, 'x-filename': 'x.csv' },
    body,
  });

test('a cell that does not end is refused by its length', async () => {
  const answer = await sent(`a;b\n1;"${'x'.repeat(64 * 1024 * 1024)}`);
  assert.equal(answer.status, 413);
  assert.match(await answer.text(), /Line 2: a cell is longer than 16777216 characters/);
  await formats.assertClean();
});

test('hostile and broken texts end with a clear error that names the line, and change nothing', async () => {
  const cases: [what: string, file: Buffer | string, says: RegExp, name?: string][] = [
    [
      'a quotation mark that is not closed',
      'n;b\n1;2\n3;"4\n5;6\n',
      /Line 3: a quotation mark is not closed/,
    ],
    [
      'more columns than a layer may have',
      `${Array.from({ length: 60 }, (_, i) => `c${i}`).join(';')}\n1\n`,
      /50/,
    ],
    ['a name with half a letter', iconv.encode('n\ud800;b\n1;2\n', 'utf-16le', { addBOM: true }), /./],
    ['nothing', '', /empty/],
    ['blank lines', '\n\n\r\n', /empty/],
    ['a byte order mark', '\ufeff', /empty/],
    ['a word', 'what', /no table/i],
    ['bytes', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) % 5)), /csv/],
    ['a program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(3000)]), /csv/],
    ['not UTF-8 behind its mark', Buffer.from('\xef\xbb\xbfn;b\n1;\xff\xfe\n', 'latin1'), /./],
    ['HTML', '<html><table><tr><td>1</td></tr></table></html>', /HTML/, 'x.xls'],
    ['svc_id twice', 'svc_id;n\n1;1\n1;2\n', /the id 1 stands at feature 1 already/],
    ['a number that no number column takes', 'n;b\n1e400;1\n', /./],
    ['infinity', 'n;b\nInfinity;1\n', /no number/],
    ['a formula of another program', 'n;b\n=1+1;1\n', /no number/],
  ];
  for (const [what, file, says, name = 'x.csv'] of cases) {
    const answer = await formats.send(layer, file, name);
    assert.ok(answer.status >= 400, `${what}: ${answer.text.slice(-300)}`);
    assert.match(answer.json?.message ?? answer.text, says, what);
    assert.doesNotMatch(answer.text, /\/tmp\/|select |at file:/, what);
    assert.deepEqual(await formats.objects(layer), [], what);
    await formats.assertClean();
  }
});

test('a million columns are refused by the first of them', async () => {
  for (const file of [`n${';x'.repeat(1_000_000)}\n1\n`, `"n"${';"x"'.repeat(1_000_000)}\n1\n`]) {
    const answer = await sent(file);
    assert.equal(answer.status, 413);
    assert.match(await answer.text(), /Line 1: there are more than 100 columns/);
    await formats.assertClean();
  }
});

test('names that mean something to programs are names like any others', async () => {
  const other = await formats.newLayer();
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'geom',
    'select "x"; drop table',
    "a'b",
    '$1',
    '-x',
    '{}',
  ];
  const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
  await formats.load(
    other,
    `svc_id;${quoted.join(';')}\n5;${names.map((_, i) => `v${i}`).join(';')}\n`,
    'x.csv',
  );
  const [object] = await formats.objects(other);
  assert.equal(object!.id, 5);
  const { svc_id, ...fields } = object!.fields;
  assert.deepEqual(
    Object.values(fields),
    names.map((_, i) => `v${i}`),
  );
});

test('values that look like code stay text', async () => {
  const other = await formats.newLayer();
  const values = [
    '=HYPERLINK("http://x")',
    "'); drop table x; --",
    '\\N',
    '\\.',
    'NULL',
    'NaN',
    '\\x41',
    '{"a":1}',
    '[1]',
  ];
  await formats.load(
    other,
    `v\n${values.map((value) => `"${value.replaceAll('"', '""')}"`).join('\n')}\n`,
    'x.csv',
  );
  assert.deepEqual(
    (await formats.objects(other)).map(({ fields }) => fields.v),
    values,
  );
});

test('a table that is cut into pieces anywhere is the same', async () => {
  const file = Buffer.from('n;"t""x";wkt\r\n1;"a\r\nЖ;""";POINT(1 2)\r\n\r\n"2";Я\r;"POINT(3 4)"\r\n');
  const whole = await formats.newLayer();
  await formats.load(whole, file, 'x.csv', 'header=1');
  const shown = (await formats.objects(whole)).map(({ fields: { svc_id, ...fields }, geom }) => [
    fields,
    geom,
  ]);
  assert.equal(shown.length, 3);
  for (const size of [1, 2, 3, 7]) {
    const cut = await formats.newLayer();
    const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, i) =>
      file.subarray(i * size, (i + 1) * size),
    );
    const answer = await fetch(`${formats.server.api}/m/layers/${cut}/import/?header=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${formats.server.adminToken}`, 'x-filename': 'x.csv' },
      body: ReadableStream.from(chunks),
      duplex: 'half',
    } as RequestInit);
    assert.equal(answer.status, 200, await answer.text());
    assert.deepEqual(
      (await formats.objects(cut)).map(({ fields: { svc_id, ...fields }, geom }) => [fields, geom]),
      shown,
    );
  }
});

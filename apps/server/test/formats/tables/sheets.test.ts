import assert from 'node:assert/strict';
import test from 'node:test';
import { zipOf } from '../archives.js';
import { type Formats, fixture, startFormats } from '../support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats({ CARTULARY_SHEET_ROWS: '1000', CARTULARY_CONVERTER_MEMORY: '200' });
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

const types = (parts: string): string =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>${parts}</Types>`;
const rels = (content: string): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The parts of a spreadsheet with one sheet; `rows` is the content of its `sheetData`. */
const parts = (rows: string, { head = '', after = '', properties = '' } = {}): Record<string, string> => ({
  '[Content_Types].xml': types(
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>',
  ),
  '_rels/.rels': rels(`<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`),
  'xl/workbook.xml': `<?xml version="1.0"?>${head}<workbook xmlns="${main}" xmlns:r="${office}">${properties}<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': rels(
    `<Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${office}/styles" Target="styles.xml"/>`,
  ),
  'xl/styles.xml': `<?xml version="1.0"?><styleSheet xmlns="${main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="46" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `<?xml version="1.0"?>${head}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
});

const text = (reference: string, value: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (reference: string, value: number, style = 0): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;
const row = (n: number, ...cells: string[]): string => `<row r="${n}">${cells.join('')}</row>`;

for (const name of ['table.xls', 'table.xlsx']) {
  test(`${name} comes in whole`, async () => {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, fixture(name), 'data.bin');
    assert.deepEqual([report.format, report.read, report.stored], [name.slice(6), 3, 3]);
    assert.deepEqual(report.tables, [
      { sheet: 'Города', header: true, decimal: null, geometry: ['Долгота', 'Широта'] },
    ]);
    assert.match(
      report.notes.join('\n'),
      /The sheet 'Города' was read, others were not: 'Второй'\. .*give sheet/,
    );
    assert.deepEqual(await formats.columns(layer), {
      oblast: 'string',
      imya: 'string',
      kod: 'string',
      chislo: 'number',
      osnovan: 'datetime',
      videli: 'datetime',
      stolitsa: 'bool',
    });
    const [moscow, tver, nowhere] = await formats.objects(layer);
    const { svc_id, ...fields } = moscow!.fields;
    assert.deepEqual(fields, {
      oblast: 'Центр',
      imya: 'Москва',
      kod: '00771',
      chislo: 6.5,
      osnovan: '1900-03-01T00:00:00.000Z',
      videli: '2024-05-01T12:30:00.000Z',
      stolitsa: true,
    });
    assert.deepEqual(moscow!.geom.coordinates, [37.6173, 55.7558]);
    // Part of a merged cell; an error of a formula; a leap day.
    assert.deepEqual(
      [tver!.fields.oblast, tver!.fields.imya, tver!.fields.chislo, tver!.fields.osnovan],
      ['Центр', 'Тверь & <область>', null, '1964-02-29T00:00:00.000Z'],
    );
    assert.deepEqual([nowhere!.geom, nowhere!.fields.chislo], [null, 1234567.125]);
  });

  test(`the sheets of ${name} by name and number`, async () => {
    for (const sheet of ['2', 'Второй', 'второй']) {
      const layer = await formats.newLayer();
      const report = await formats.load(layer, fixture(name), name, `sheet=${encodeURIComponent(sheet)}`);
      assert.equal(report.tables[0].sheet, 'Второй');
      assert.deepEqual(report.notes, []);
      assert.deepEqual(
        (await formats.objects(layer)).map(({ fields }) => fields.a),
        [7],
      );
    }
    const layer = await formats.newLayer();
    const { message } = (await formats.send(layer, fixture(name), name, 'sheet=3')).json;
    assert.match(message, /no sheet '3'; it has 'Города', 'Второй'/);
  });
}

test('dates that are counted from 1904, times, and numbers among texts', async () => {
  const rows = [
    row(1, text('A1', 'when'), text('B1', 'mixed')),
    row(2, number('A2', 43951, 1), number('B2', 5)),
    row(3, number('A3', 43952.5, 1), text('B3', '007')),
  ].join('');
  for (const [properties, first] of [
    ['', '2020-04-30'],
    ['<workbookPr date1904="1"/>', '2024-05-01'],
  ] as const) {
    const layer = await formats.newLayer();
    await formats.load(layer, await zipOf(parts(rows, { properties })), 'x.xlsx');
    const objects = await formats.objects(layer);
    assert.equal(objects[0]!.fields.when, `${first}T00:00:00.000Z`);
    assert.match(objects[1]!.fields.when, /T12:00:00\.000Z$/);
    assert.deepEqual(
      objects.map(({ fields }) => fields.mixed),
      ['5', '007'],
    );
  }
});

test('without a name the first sheet is read that is shown and holds values', async () => {
  const sheet = (content: string): string =>
    `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${content}</sheetData></worksheet>`;
  const table = (value: string): string => row(1, text('A1', 'a')) + row(2, text('A2', value));
  const workbook = (states: readonly string[], contents: readonly string[]): Promise<Buffer> =>
    zipOf({
      ...parts(''),
      'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${office}"><sheets>${states.map((state, i) => `<sheet name="S${i}" sheetId="${i + 1}" state="${state}" r:id="r${i}"/>`).join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': rels(
        contents
          .map(
            (_, i) => `<Relationship Id="r${i}" Type="${office}/worksheet" Target="worksheets/s${i}.xml"/>`,
          )
          .join(''),
      ),
      ...Object.fromEntries(contents.map((content, i) => [`xl/worksheets/s${i}.xml`, sheet(content)])),
    });
  for (const [states, contents, read] of [
    [['hidden', 'visible'], [table('0'), table('1')], 'S1'],
    [['veryHidden', 'visible', 'visible'], [table('0'), '', table('2')], 'S2'],
    [['visible', 'visible'], ['', table('1')], 'S1'],
    [['visible', 'visible'], [table('0'), table('1')], 'S0'],
  ] as const) {
    const layer = await formats.newLayer();
    const report = await formats.load(layer, await workbook(states, contents), 'x.xlsx');
    assert.equal(report.tables[0].sheet, read);
    assert.match(report.notes.join(), new RegExp(`The sheet '${read}' was read, others were not: 'S`));
    const [object] = await formats.objects(layer);
    assert.equal(String(object!.fields.a), read.slice(1));
  }
});

test('results of formulas that are errors are noted', async () => {
  const rows = [
    row(1, text('A1', 'a'), text('B1', 'b')),
    row(2, '<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', text('B2', 'x')),
    row(3, number('A3', 1), '<c r="B3" t="e"><v>#N/A</v></c>'),
  ].join('');
  const layer = await formats.newLayer();
  const report = await formats.load(layer, await zipOf(parts(rows)), 'x.xlsx');
  assert.match(report.notes.join(), /2 cells hold an error of a formula and no value: they were left empty/);
  assert.deepEqual(
    (await formats.objects(layer)).map(({ fields }) => [fields.a, fields.b]),
    [
      [null, 'x'],
      [1, null],
    ],
  );
});

test('dates in ISO 8601 are dates without a format, too', async () => {
  const layer = await formats.newLayer();
  const date = (reference: string, value: string): string => `<c r="${reference}" t="d"><v>${value}</v></c>`;
  const rows = [
    row(1, text('A1', 'day'), text('B1', 'n')),
    row(2, date('A2', '2020-03-04T05:06:07'), number('B2', 43_894)),
    row(3, date('A3', '2021-12-31'), number('B3', 1.5)),
  ];
  await formats.load(layer, await zipOf(parts(rows.join(''))), 'x.xlsx');
  const objects = await formats.objects(layer);
  assert.deepEqual(
    objects.map(({ fields }) => [String(fields.day).slice(0, 19), fields.n]),
    [
      ['2020-03-04T05:06:07', 43_894],
      ['2021-12-31T00:00:00', 1.5],
    ],
  );
});

test('elapsed times are no dates', async () => {
  const days = [1.5, 0.1, 30.1, -0.25, 2 + 1.5 / 86_400];
  const rows = [
    row(1, text('A1', 'lasted')),
    ...days.map((value, i) => row(i + 2, number(`A${i + 2}`, value, 2))),
  ];
  const layer = await formats.newLayer();
  await formats.load(layer, await zipOf(parts(rows.join(''))), 'x.xlsx');
  assert.deepEqual(
    (await formats.objects(layer)).map(({ fields }) => fields.lasted),
    ['36:00:00', '02:24:00', '722:24:00', '-06:00:00', '48:00:01.500'],
  );
});

test('numbers in a format of dates that are no day of the calendar stay numbers', async () => {
  const rows = [
    row(1, text('A1', 'code'), text('B1', 'when')),
    row(2, number('A2', 2_024_050_112, 1), number('B2', 43_951, 1)),
    row(3, number('A3', -1e12, 1), number('B3', 3_000_000, 1)),
  ];
  const layer = await formats.newLayer();
  await formats.load(layer, await zipOf(parts(rows.join(''))), 'x.xlsx');
  assert.deepEqual(
    (await formats.objects(layer)).map(({ fields: { code, when } }) => [code, when]),
    [
      [2_024_050_112, '2020-04-30'],
      [-1e12, '3000000'],
    ],
  );
});

test('several tables in one zip, and lists beside other data', async () => {
  const layer = await formats.newLayer();
  const files = {
    'a.csv': 'n;x;y\nа;1;2\n',
    'b/c.tsv': 'n\tx\ty\nб\t3\t4\n',
    'README.txt': 'x',
    'fields.csv': 'a;b\n',
  };
  const report = await formats.load(layer, await zipOf(files), 'x.zip');
  assert.deepEqual([report.format, report.read, report.tables.length], ['csv', 2, 2]);
  assert.deepEqual(
    (await formats.objects(layer)).map(({ geom }) => geom.coordinates),
    [
      [1, 2],
      [3, 4],
    ],
  );
  const beside = await formats.newLayer();
  const kml = '<kml><Placemark><name>a</name></Placemark></kml>';
  const other = await formats.load(beside, await zipOf({ 'doc.kml': kml, 'x.csv': 'a;b\n1;2\n' }), 'x.zip');
  assert.deepEqual([other.format, other.read], ['kml', 1]);
  assert.deepEqual(other.notes, ["'x.csv': not read, left out"]);
  const sheets = await formats.newLayer();
  const packed = await zipOf({ 'a.xlsx': fixture('table.xlsx') });
  assert.equal((await formats.load(sheets, packed, 'x.zip')).read, 3);
});

const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i} "${`&a${i ? i - 1 : ''};`.repeat(10)}">`).join('')}]>`;

test('entities and links of a spreadsheet are not followed', async () => {
  const rows =
    row(1, text('A1', 'a'), text('B1', 'b')) +
    row(2, text('A2', '&a11;'), '<c r="B2"><f>[1]Sheet1!A1</f><v>5</v></c>');
  const files = parts(rows, { head: laughs });
  files['xl/externalLinks/externalLink1.xml'] =
    `<externalLink xmlns="${main}"><externalBook r:id="r1" xmlns:r="${office}"/></externalLink>`;
  files['xl/externalLinks/_rels/externalLink1.xml.rels'] = rels(
    `<Relationship Id="r1" Type="${office}/externalLinkPath" Target="file:///etc/passwd" TargetMode="External"/>`,
  );
  const layer = await formats.newLayer();
  await formats.load(layer, await zipOf(files), 'x.xlsx');
  const [object] = await formats.objects(layer);
  assert.equal(object!.fields.b, 5);
  assert.ok(object!.fields.a.length < 10, object!.fields.a);
});

/** A spreadsheet whose archive is whole, and whose sheet has only its first characters. */
function cutOff(length: number): Record<string, string> {
  const path = 'xl/worksheets/sheet1.xml';
  const all = parts(row(1, text('A1', 'sheetData')) + row(2, number('A2', 1)).repeat(10));
  return { ...all, [path]: all[path]!.slice(0, length) };
}

test('hostile and broken spreadsheets end with a clear error, and change nothing', async () => {
  const many = Array.from({ length: 1100 }, (_, i) => row(i + 1, number(`A${i + 1}`, i))).join('');
  const whole = fixture('table.xls');
  const huge = parts(`${row(1, text('A1', 'a'))}${' '.repeat(150 * 1024 * 1024)}`);
  // Small in the archive and as text, but not as objects.
  const heavy = parts(row(1, ...Array.from({ length: 16_000 }, () => '<c><v>1</v></c>')).repeat(400));
  const doc = Buffer.from(
    whole.toString('latin1').replaceAll('W\0o\0r\0k\0b\0o\0o\0k\0', 'W\0o\0r\0d\0D\0o\0c\0s\0'),
    'latin1',
  );
  const cases: [what: string, file: Buffer, says: RegExp][] = [
    ['xls that is cut off', whole.subarray(0, 3000), /'x\.xls' could not be read: it is damaged/],
    ['xls without a workbook', doc, /damaged, cut off, or no spreadsheet/],
    ['an OLE2 file that says nothing', Buffer.concat([whole.subarray(0, 8), Buffer.alloc(4000)]), /damaged/],
    ['xlsx that is cut off', fixture('table.xlsx').subarray(0, 3000), /zip/],
    ['too many rows', await zipOf(parts(many)), /more than 1000 rows/],
    ['a zip bomb', await zipOf(huge), /unpacks to more/],
    ['more objects than memory', await zipOf(heavy), /more memory|unpacks to more|columns/],
    [
      'a sheet that is absent',
      await zipOf({ ...parts(''), 'xl/worksheets/sheet1.xml': '' }),
      /could not be read|no table/,
    ],
    ['a sheet that is cut off', await zipOf(cutOff(300)), /sheet1\.xml' is damaged or cut off/],
    ['a sheet that ends before its rows', await zipOf(cutOff(60)), /sheet1\.xml' is damaged or cut off/],
    ['no XML', await zipOf({ ...parts(''), 'xl/workbook.xml': 'x' }), /could not be read/],
  ];
  for (const [what, file, says] of cases) {
    const layer = await formats.newLayer();
    const answer = await formats.send(layer, file, 'x.xls');
    assert.ok(answer.status >= 400, `${what}: ${answer.text}`);
    assert.match(answer.json?.message ?? answer.text, says, what);
    assert.doesNotMatch(answer.text, /\/tmp\/|node_modules/, what);
    assert.deepEqual(await formats.objects(layer), [], what);
    await formats.assertClean();
  }
});

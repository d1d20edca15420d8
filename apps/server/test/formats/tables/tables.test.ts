import assert from 'node:assert/strict';
import test from 'node:test';
import iconv from 'iconv-lite';
import { type Formats, type Shown, startFormats } from '../support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

interface Loaded {
  report: any;
  objects: Shown[];
  columns: Record<string, string>;
  layer: string;
}

/** A table in a separate layer. */
async function loaded(
  file: Buffer | string,
  { name = 'x.csv', query = '', columns = [] as object[] } = {},
): Promise<Loaded> {
  const layer = await formats.newLayer(...columns);
  const report = await formats.load(layer, file, name, query);
  return { layer, report, objects: await formats.objects(layer), columns: await formats.columns(layer) };
}

/** The message of a refusal. */
async function refused(
  file: Buffer | string,
  { name = 'x.csv', query = '', columns = [] as object[] } = {},
): Promise<any> {
  const layer = await formats.newLayer(...columns);
  const answer = await formats.send(layer, file, name, query);
  assert.ok(answer.status >= 400, answer.text);
  assert.deepEqual(await formats.objects(layer), []);
  return answer.json;
}

const points = ({ objects }: Loaded): unknown[] => objects.map(({ geom }) => geom?.coordinates ?? null);
const column = ({ objects }: Loaded, code: string): unknown[] => objects.map(({ fields }) => fields[code]);

const text =
  'name;population;lon;lat\nМосква;12655050;37.6173;55.7558\nKazan;1308660;49.1082;55.7887\nNowhere;;;\n';

test('a table of points: its interpretation is reported', async () => {
  const table = await loaded(text);
  assert.deepEqual(table.columns, { name: 'string', population: 'number' });
  assert.deepEqual(points(table), [[37.6173, 55.7558], [49.1082, 55.7887], null]);
  assert.deepEqual(column(table, 'name'), ['Москва', 'Kazan', 'Nowhere']);
  assert.deepEqual(column(table, 'population'), [12655050, 1308660, null]);
  const { format, encoding, tables, geometries, projection } = table.report;
  assert.deepEqual([format, encoding, projection], ['csv', 'utf-8', 'EPSG:4326']);
  assert.deepEqual(tables, [{ delimiter: ';', header: true, decimal: '.', geometry: ['lon', 'lat'] }]);
  assert.deepEqual(geometries, { Point: 2, none: 1 });
});

test('every delimiter, line end and encoding is found out', async () => {
  const expected = (await loaded(text)).objects.map(({ fields, geom }) => [fields, geom]);
  const with_ = (delimiter: string): string => text.replaceAll(';', delimiter);
  const cases: [string, Buffer | string, string, string?][] = [
    ['commas', with_(','), 'utf-8'],
    ['tabs', with_('\t'), 'utf-8'],
    ['bars', with_('|'), 'utf-8'],
    ['CR', text.replaceAll('\n', '\r'), 'utf-8'],
    ['CRLF', text.replaceAll('\n', '\r\n'), 'utf-8'],
    ['no line end at the end', text.trimEnd(), 'utf-8'],
    ['blank lines', `\n\n${text.replaceAll('\n', '\n\n')}\n`, 'utf-8'],
    ['UTF-8 with its mark', `\ufeff${text}`, 'utf-8'],
    ['UTF-16', iconv.encode(text, 'utf-16le', { addBOM: true }), 'utf-16le'],
    ['UTF-16 without a mark', iconv.encode(text, 'utf-16le', { addBOM: false }), 'utf-16le'],
    ['UTF-16 the other way without a mark', iconv.encode(text, 'utf-16be', { addBOM: false }), 'utf-16be'],
    ['UTF-16 the other way', iconv.encode(text, 'utf-16be', { addBOM: true }), 'utf-16be'],
    [
      'UTF-16 with tabs as Excel has it',
      iconv.encode(with_('\t'), 'utf-16le', { addBOM: true }),
      'utf-16le',
      'x.txt',
    ],
    ['windows-1251', iconv.encode(text, 'windows-1251'), 'windows-1251'],
    ['cp866', iconv.encode(text, 'cp866'), 'cp866'],
    ['by the line sep=', `sep=;\n${text}`, 'utf-8'],
    ['without a name', text, 'utf-8', ''],
    ['as .txt', text, 'utf-8', 'x.txt'],
    ['as .tsv', with_('\t'), 'utf-8', 'x.tsv'],
    ['named as .xls', with_('\t'), 'utf-8', 'x.xls'],
  ];
  for (const [what, file, encoding, name = 'x.csv'] of cases) {
    const table = await loaded(file, { name });
    assert.equal(table.report.encoding, encoding, what);
    assert.deepEqual(
      table.objects.map(({ fields, geom }) => [fields, geom]),
      expected,
      what,
    );
  }
  const japanese = await loaded(iconv.encode('名前,x,y\n東京,139.7,35.6\n', 'shift_jis'), {
    query: 'encoding=shift_jis',
  });
  assert.deepEqual(column(japanese, 'field_1'), ['東京']);
});

test('quotation marks doubled and with a backslash, lines and delimiters within them', async () => {
  const file =
    'a,b\n"1,5","say ""hi"", ok"\n"two\r\nlines\rand\nthree",\n  "blanks" , x y \nООО "Ромашка",""\n';
  const table = await loaded(file);
  assert.deepEqual(column(table, 'a'), ['1,5', 'two\r\nlines\rand\nthree', 'blanks', 'ООО "Ромашка"']);
  assert.deepEqual(column(table, 'b'), ['say "hi", ok', null, ' x y ', null]);
  const slashed = await loaded('a;b\n"say \\"hi\\"; ok";"C:\\\\x"\n"\\"a\\"";2\n');
  assert.deepEqual(column(slashed, 'a'), ['say "hi"; ok', '"a"']);
  assert.deepEqual(column(slashed, 'b'), ['C:\\x', '2']);
  // A backslash before the closing mark is one where marks are doubled.
  const paths = await loaded('a;b\n"C:\\dir\\";"a ""b"""\n"D:\\";x\n');
  assert.deepEqual(column(paths, 'a'), ['C:\\dir\\', 'D:\\']);
});

/** The values of a column, its type, and the values that are stored. */
const typed: [values: string[], type: string, ...expected: unknown[]][] = [
  [['1', '-2', '0', ''], 'number', 1, -2, 0, null],
  [['1.5', '2', '.5', '1.5e-3'], 'number', 1.5, 2, 0.5, 0.0015],
  [['1,5', '2', '-0,25'], 'number', 1.5, 2, -0.25],
  [['1 234,5', '12 345 678', '1\u00a0000', '2\u202f500,25'], 'number', 1234.5, 12345678, 1000, 2500.25],
  [['1,234.5', '12,345', '7'], 'number', 1234.5, 12345, 7],
  [['1.234,5', '2.345.678', '1,5'], 'number', 1234.5, 2345678, 1.5],
  [['1,234', '0,5'], 'number', 1.234, 0.5],
  // Points between thousands beside decimal commas, as spreadsheets write them in many countries.
  [['1.234,5', '2.345', '-1.000', '950,25'], 'number', 1234.5, 2345, -1000, 950.25],
  [['1.234', '2.345'], 'number', 1.234, 2.345],
  // Either way it would be a number, but not the same one.
  [['1,234', '12,345'], 'string', '1,234', '12,345'],
  [['1,5', '1.5'], 'string', '1,5', '1.5'],
  [['00771', '12'], 'string', '00771', '12'],
  [['+79161234567', '5'], 'string', '+79161234567', '5'],
  [['1234567890123456', '5'], 'string', '1234567890123456', '5'],
  [['123456789012345'], 'number', 123456789012345],
  [['12E4', '7'], 'string', '12E4', '7'],
  [['1.5e+300', '7'], 'string', '1.5e+300', '7'],
  [['1e-400', '7'], 'string', '1e-400', '7'],
  [['1', 'x'], 'string', '1', 'x'],
  [['true', 'FALSE', ''], 'bool', true, false, null],
  [['да', 'Нет'], 'bool', true, false],
  [['ИСТИНА', 'ЛОЖЬ'], 'bool', true, false],
  [['yes', 'no'], 'bool', true, false],
  [['да', 'no'], 'string', 'да', 'no'],
  [['1', '0'], 'number', 1, 0],
  [
    ['2024-05-01', '1961-04-12T09:07:00+03:00'],
    'datetime',
    '2024-05-01T00:00:00.000Z',
    '1961-04-12T06:07:00.000Z',
  ],
  [
    ['01.02.2024', '31.12.1999 23:59:58', '1.5.2000 9:05'],
    'datetime',
    '2024-02-01T00:00:00.000Z',
    '1999-12-31T23:59:58.000Z',
    '2000-05-01T09:05:00.000Z',
  ],
  [['01.02.2024', '2024-05-01'], 'datetime', '2024-02-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z'],
  [['01/02/2024', '25/12/2024'], 'datetime', '2024-02-01T00:00:00.000Z', '2024-12-25T00:00:00.000Z'],
  [['01/02/2024', '12/25/2024'], 'datetime', '2024-01-02T00:00:00.000Z', '2024-12-25T00:00:00.000Z'],
  [['2024/12/25', '2024/1/2 7:30'], 'datetime', '2024-12-25T00:00:00.000Z', '2024-01-02T07:30:00.000Z'],
  [
    ['1/25/2024 12:00:00 AM', '2/3/2024 1:05 pm', '12/31/2024 12:30:00 PM'],
    'datetime',
    '2024-01-25T00:00:00.000Z',
    '2024-02-03T13:05:00.000Z',
    '2024-12-31T12:30:00.000Z',
  ],
  [
    ['2024/02/29 10:20:30.5+03', '1969/12/31 23:59:59+00', '2024-1-5 9:30'],
    'datetime',
    '2024-02-29T07:20:30.500Z',
    '1969-12-31T23:59:59.000Z',
    '2024-01-05T09:30:00.000Z',
  ],
  [['31.12.2024 13:05 PM'], 'string', '31.12.2024 13:05 PM'],
  [['0001/01/01 00:00:00+03'], 'string', '0001/01/01 00:00:00+03'],
  [['01/02/2024', '03/04/2024'], 'string', '01/02/2024', '03/04/2024'],
  [['25/12/2024', '12/25/2024'], 'string', '25/12/2024', '12/25/2024'],
  [['31.02.2024'], 'string', '31.02.2024'],
  [['29.02.2024', '1.1.24'], 'string', '29.02.2024', '1.1.24'],
  [['', ''], 'string', null, null],
  [['192.168.0.1'], 'string', '192.168.0.1'],
  [['x'.repeat(5000)], 'text', 'x'.repeat(5000)],
];

test('comments above the names of the columns are left out, and told', async () => {
  const rows = 'name;lat;lon\na;60,5;30,25\n';
  for (const above of [
    '# Stations of 2024\n',
    '# a, b, "c\r\n\r\n#\r\n',
    '# a; b\n# of; four; such; cells\n',
  ])
    for (const name of ['table.csv', 'table.txt']) {
      const { objects, report } = await loaded(above + rows, { name });
      assert.deepEqual([objects.length, objects[0]!.geom.coordinates], [1, [30.25, 60.5]], above);
      const count = above.match(/#/g)!.length;
      assert.match(report.notes.join(), new RegExp(`^${count} lines above the names`), above);
    }
  for (const text of ['#name;lat\na;60\n', '#a;1\n#b;2\nc;3\n', '#tag\nb\n']) {
    const { objects, report } = await loaded(text);
    assert.deepEqual([objects.length, report.notes], [text.match(/#b/) ? 3 : 1, []], text);
  }
  const wrong = await formats.send(await formats.newLayer(), `# one\n# two\n${rows}b;x;1\n`, 'table.csv');
  assert.equal(wrong.json.data.line, 5);
});

test('columns have the type that all their values have', async () => {
  for (const [values, type, ...expected] of typed) {
    const table = await loaded(`k;value\n${values.map((value) => `a;"${value}"`).join('\n')}\n`);
    assert.equal(table.columns.value, type, String(values).slice(0, 100));
    assert.deepEqual(column(table, 'value'), expected, String(values).slice(0, 100));
  }
});

test('the sign before fractions of the other columns decides, and that which is given', async () => {
  assert.deepEqual(column(await loaded('a;b\n"1,234";0,5\n'), 'a'), [1.234]);
  assert.deepEqual(column(await loaded('a;b\n"1,234";0.5\n'), 'a'), [1234]);
  const people = await loaded('a;b\n58.369;40,65\n-1.418;39,47\n');
  assert.deepEqual([column(people, 'a'), people.report.tables[0].decimal], [[58369, -1418], ',']);
  const columns = [{ code: 'a', type: 'number' }];
  assert.deepEqual(column(await loaded('a;b\n58.369;40,65\n', { columns }), 'a'), [58369]);
  // Coordinates show the sign of their table, too.
  assert.deepEqual(column(await loaded('a;lat;lon\n58.369;40,65;-4,7\n'), 'a'), [58369]);
  assert.deepEqual(column(await loaded('a;lat;lon\n"1,234";40.65;-4.7\n'), 'a'), [1234]);
  // Thousands do not begin with 0, and have three digits.
  for (const certain of ['0.500', '2.5'])
    assert.deepEqual(column(await loaded(`a;b\n1.234;0,5\n${certain};1,5\n`), 'a'), [1.234, Number(certain)]);
  const given = await loaded('a;b\n1,234;1.234\n', { query: 'decimal=,' });
  assert.deepEqual([given.objects[0]!.fields.a, given.objects[0]!.fields.b], [1.234, 1234]);
  assert.equal(given.report.tables[0].decimal, ',');
  const point = await loaded('a;b\n1,234;1.234\n', { query: 'decimal=point' });
  assert.deepEqual([point.objects[0]!.fields.a, point.objects[0]!.fields.b], [1234, 1.234]);
});

test('an existing column keeps its type: values are converted, or refused with number, line and reason', async () => {
  const columns = [
    { code: 'number', type: 'number' },
    { code: 'bool', type: 'bool' },
    { code: 'datetime', type: 'datetime' },
    { code: 'string', type: 'string' },
    { code: 'json', type: 'json' },
  ];
  const table = await loaded(
    'number;bool;datetime;string;json\n"1 234,5";да;31.12.2024 9:30;007;"{""a"": [1]}"\n007;1;2024-05-01;1,5;5\n;;;;\nx y z;;;;\n'.replace(
      'x y z;;;;\n',
      '',
    ),
    { columns },
  );
  assert.deepEqual(
    table.objects.map(({ fields: { number, bool, datetime, string, json } }) => [
      number,
      bool,
      datetime,
      string,
      json,
    ]),
    [
      [1234.5, true, '2024-12-31T09:30:00.000Z', '007', { a: [1] }],
      [7, true, '2024-05-01T00:00:00.000Z', '1,5', 5],
    ],
  );
  const wrong: [header: string, rows: string, feature: number, line: number, says: RegExp][] = [
    ['number', '1\n"a\nb"\n', 2, 3, /: number: 'a\nb' is no number$/],
    ['number', '1,5\n2.5\n', 2, 3, /another sign/],
    ['number', '"1,234"\n', 1, 2, /two different numbers.*decimal/],
    ['bool', 'да\nможет быть\n', 2, 3, /true or false.*можеть?/],
    ['datetime', '01.02.2024\n\n32.01.2024\n', 2, 4, /32\.01\.2024/],
    ['datetime', '01/02/2024\n', 1, 2, /two different days/],
    ['json', '{\n', 1, 2, /no JSON/],
    ['string', `${'x'.repeat(4001)}\n`, 1, 2, /at most 4000/],
  ];
  for (const [header, rows, feature, line, says] of wrong) {
    const { message, data, code } = await refused(`${header}\n${rows}`, { columns, query: 'header=1' });
    assert.equal(code, 'value_invalid', message);
    assert.match(message, says);
    assert.match(message, new RegExp(`^Feature ${feature} \\(line ${line}\\): `));
    assert.deepEqual(data, { columns: [header], feature, line });
  }
  const skipping = await loaded('number;string\n1;a\nx;b\n3;c\n', { columns, query: 'skip_errors=1' });
  assert.deepEqual([skipping.report.read, skipping.report.stored, skipping.report.refused], [3, 2, 1]);
  assert.deepEqual(skipping.report.errors[0].feature, 2);
});

test('names of columns: found, given, twice, none', async () => {
  const names = async (file: string, query = ''): Promise<[string[], boolean]> => {
    const { columns, report } = await loaded(file, { query });
    return [Object.keys(columns), report.tables[0].header];
  };
  assert.deepEqual(await names('a;b\n1;2\n'), [['a', 'b'], true]);
  assert.deepEqual(await names('a;b\nc;d\n'), [['a', 'b'], true]);
  assert.deepEqual(await names('1;2\n3;4\n'), [['field_1', 'field_2'], false]);
  assert.deepEqual(await names('x;2024-05-01\ny;2024-05-02\n'), [['field_1', 'field_2'], false]);
  assert.deepEqual(await names('a;b\n1;2\n', 'header=0'), [['field_1', 'field_2'], false]);
  assert.deepEqual(await names('1;2\n3;4\n', 'header=1'), [['_1', '_2'], true]);
  assert.deepEqual(await names('region;2019;2020\nx;1;2\n'), [['region', '_2019', '_2020'], true]);
  const days = ['region', '_2024_01_01', '_2024_02_01'];
  assert.deepEqual(await names('region;2024-01-01;2024-02-01\nx;1,5;2\ny;;3\n'), [days, true]);
  const three = ['field_1', 'field_2', 'field_3'];
  assert.deepEqual(await names('x;2024-01-01;2024-02-01\ny;2024-03-01;2024-04-01\n'), [three, false]);
  assert.deepEqual(await names('x;2024-01-01;2024-01-01\ny;1;2\n'), [three, false]);
  assert.deepEqual(await names('a;a;;a\n1;2;3;4\n'), [['a', 'a_2', 'field_3', 'a_3'], true]);
  assert.deepEqual(await names('__proto__;svc_id;constructor\nq;7;z\n'), [['proto', 'constructor'], true]);
  assert.deepEqual(await names('Население, чел.;"Дата\nначала"\n1;2\n'), [
    ['naselenie_chel', 'data_nachala'],
    true,
  ]);
  const titled = await loaded('Отчёт за 2024 год;;\n;;\nИмя;Число;Дата\nа;1;2024-01-01\nб;2;2024-01-02\n');
  assert.deepEqual(titled.columns, { imya: 'string', chislo: 'number', data: 'datetime' });
  assert.match(titled.report.notes.join(), /1 lines above/);
  assert.equal((await loaded('name\nМосква\nТверь\n')).report.stored, 2);
  const alone = await loaded('Moscow;capital\n');
  assert.deepEqual([alone.report.read, alone.report.tables[0].header], [0, true]);
  assert.match(alone.report.notes.join(), /The only row .* give header=0/);
});

test('a column without a name is made of its first value', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `;${i};;x`).join('\n');
  const none = await loaded(`;id;;name\n${rows}\n`);
  assert.deepEqual(none.columns, { id: 'number', name: 'string' });
  const late = await loaded(`;id;;name\n${rows}\n;600;late;x\n`);
  assert.deepEqual(late.columns, { id: 'number', name: 'string', field_3: 'string' });
  assert.equal(late.objects.at(-1)!.fields.field_3, 'late');
});

test('rows are changed by their svc_id', async () => {
  const layer = await formats.newLayer();
  await formats.load(layer, 'svc_id;name;n\n5;five;1\n;none;2\n', 'x.csv');
  await formats.load(layer, 'svc_id;name\n5;FIVE\n9;nine\n', 'x.csv');
  const objects = await formats.objects(layer);
  assert.deepEqual(
    objects.map(({ id, fields }) => [id, fields.name, fields.n]),
    [
      [5, 'FIVE', 1],
      [6, 'none', 2],
      [9, 'nine', null],
    ],
  );
  assert.match((await formats.send(layer, 'svc_id;name\nx;a\n', 'x.csv')).json.message, /line 2.*svc_id/);
});

const ring = 'POLYGON((0 0,1 0,1 1,0 0))';
const wkb = (srid = 0, x = 37, y = 55): string => {
  const bytes = Buffer.alloc(srid ? 25 : 21);
  bytes[0] = 1;
  bytes.writeUInt32LE(srid ? 0x20000001 : 1, 1);
  if (srid) bytes.writeUInt32LE(srid, 5);
  bytes.writeDoubleLE(x, bytes.length - 16);
  bytes.writeDoubleLE(y, bytes.length - 8);
  return bytes.toString('hex');
};

/** Tables, the columns in which the geometry is found, and the coordinates of each row. */
const tablesWithGeometry: [file: string, geometry: string[], ...coordinates: unknown[]][] = [
  [
    `id;wkt\n1;${ring}\n2;\n3;POINT EMPTY\n`,
    ['wkt'],
    [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
    null,
    null,
  ],
  ['n;Геометрия\na;POINT(1 2)\n', ['Геометрия'], [1, 2]],
  [
    'n;whatever\na;LINESTRING Z (1 2 3, 4 5 6)\n',
    ['whatever'],
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
  ],
  [`n;the_geom\na;${wkb()}\n`, ['the_geom'], [37, 55]],
  [`n;q\na;${wkb(4326).toUpperCase()}\n`, ['q'], [37, 55]],
  [`n;q\na;\\x${wkb()}\nb;0x${wkb().toUpperCase()}\n`, ['q'], [37, 55], [37, 55]],
  ['n;g\na;"{""type"":""Point"",""coordinates"":[1,2]}"\n', ['g'], [1, 2]],
  ['n;LONGITUDE;LATITUDE\na;1;2\n', ['LONGITUDE', 'LATITUDE'], [1, 2]],
  ['n;lat;lng\na;2;1\n', ['lng', 'lat'], [1, 2]],
  ['n;geo_lat;geo_lon\na;2;1\n', ['geo_lon', 'geo_lat'], [1, 2]],
  ['n;Широта, °;Долгота, °\na;55,75;37,61\n', ['Долгота, °', 'Широта, °'], [37.61, 55.75]],
  ['n;Координата X;Координата Y\na;1;2\n', ['Координата X', 'Координата Y'], [1, 2]],
  ['n;Х;У\na;1;2\n', ['Х', 'У'], [1, 2]],
  ['n;ш;д\na;2;1\n', ['д', 'ш'], [1, 2]],
  ['x;y;lon;lat\n500000;6000000;1;2\n', ['lon', 'lat'], [1, 2]],
  ['stop_id;stop_lat;stop_lon\nA;2;1\n', ['stop_lon', 'stop_lat'], [1, 2]],
  ...[
    ['decimalLatitude', 'decimalLongitude'],
    ['Latitude (decimal degrees)', 'Longitude (decimal degrees)'],
    ['y_lat', 'x_lon'],
    ['Latitud', 'Longitud'],
    ['latitudine', 'longitudine'],
    ['Breitengrad', 'Längengrad'],
    ['Szerokość geograficzna', 'Długość geograficzna'],
    ['enlem', 'boylam'],
    ['Широта', 'Довгота'],
    ['纬度', '经度'],
    ['위도', '경도'],
    ['Geogr. Breite', 'Geogr. Länge'],
    ['Földrajzi szélesség', 'Földrajzi hosszúság'],
    ['Zemljopisna širina', 'Zemljopisna dužina'],
    ['Γεωγραφικό πλάτος', 'Γεωγραφικό μήκος'],
    ['خط العرض', 'خط الطول'],
    ['קו רוחב', 'קו אורך'],
    ['ละติจูด', 'ลองจิจูด'],
    ['अक्षांश', 'देशांतर'],
  ].map(([lat, lon]): (typeof tablesWithGeometry)[number] => [
    `n;${lat};${lon}\na;2;1\n`,
    [lon!, lat!],
    [1, 2],
  ]),
  ['n;координаты\na;"55.75, 37.61"\n', ['координаты'], [37.61, 55.75]],
  ['n;coordinates\na;"10, 20"\nb;"137.61, 55.75"\n', ['coordinates'], [10, 20], [137.61, 55.75]],
  ['n;coordinates\na;"55,75 37,61"\n', ['coordinates'], [37.61, 55.75]],
  [
    'n;lat;lon\na;"55°45\'21""N";"37°37\'04,8""E"\nb;55°45\' ю.ш.;37°30\' з.д.\n',
    ['lon', 'lat'],
    [37 + 37 / 60 + 4.8 / 3600, 55 + 45 / 60 + 21 / 3600],
    [-37.5, -55.75],
  ],
  [
    'n;координаты\na;"55°45\'21"" с.ш., 37°37\'04"" в.д."\n',
    ['координаты'],
    [37 + 37 / 60 + 4 / 3600, 55 + 45 / 60 + 21 / 3600],
  ],
  ['n,Point (WKT)\na,POINT(1 2)\n', ['Point (WKT)'], [1, 2]],
  // Names alone are not enough.
  ['x;y\nred;blue\n', [], null],
  ['start_lat;start_lon;end_lat;end_lon\n1;2;3;4\n', [], null],
  ['stop_lat;stop_lon\nred;blue\n', [], null],
  ['geometry;n\nround;1\n', [], null],
  // The width and the length of a thing.
  ['szerokość;długość\n2;1\n', [], null],
];

test('geometries are found by the names and the content of columns', async () => {
  for (const [file, geometry, ...coordinates] of tablesWithGeometry) {
    const table = await loaded(file);
    assert.deepEqual(table.report.tables[0].geometry, geometry, file);
    assert.deepEqual(points(table), coordinates, file);
    for (const name of geometry) assert.ok(!(name in table.columns), file);
  }
});

test('the columns of the geometry as they are given', async () => {
  const file = 'a;b;lon;lat;place\n1;2;3;4;POINT(5 6)\n';
  assert.deepEqual(points(await loaded(file)), [[5, 6]]);
  assert.deepEqual(points(await loaded(file, { query: 'x=a&y=B' })), [[1, 2]]);
  assert.deepEqual(points(await loaded(file, { query: 'wkt=place' })), [[5, 6]]);
  const none = await loaded(file, { query: 'geometry=none' });
  assert.deepEqual(points(none), [null]);
  assert.deepEqual(Object.keys(none.columns), ['a', 'b', 'lon', 'lat', 'place']);
  assert.match(
    (await refused(file, { query: 'x=a&y=nothing' })).message,
    /no column 'nothing'; it has 'a', 'b'/,
  );
  const layer = await formats.newLayer();
  for (const query of [
    'x=a',
    'x=a&y=b&wkt=place',
    'geometry=none&wkt=place',
    'delimiter=%23',
    'decimal=x',
    'header=2',
  ]) {
    assert.equal((await formats.send(layer, file, 'x.csv', query)).status, 400, query);
  }
  // A column of the layer that waits for it has the value as well.
  const kept = await loaded('lon;lat\n1;2\n', { columns: [{ code: 'lon', type: 'number' }] });
  assert.deepEqual([column(kept, 'lon'), points(kept)], [[1], [[1, 2]]]);
});

test('coordinates of another projection', async () => {
  const near = (table: Loaded): void => {
    const [[x, y]] = points(table) as [[number, number]];
    assert.ok(Math.abs(x - 37) < 1e-6 && Math.abs(y - 55) < 1e-6, `${x} ${y}`);
  };
  const [x, y] = [4118821.159351, 7361866.113051];
  near(await loaded(`n;x;y\na;${x};${y}\n`, { query: 'srs=3857' }));
  near(await loaded(`n;x;y\na;"4 118 821,159351";"7 361 866,113051"\n`, { query: 'srs=3857' }));
  near(await loaded(`n;geom\na;"SRID=3857;POINT(${x} ${y})"\n`));
  near(await loaded(`n|geom\na|SRID=3857;POINT(${x} ${y})\n`));
  near(await loaded(`n;geom\na;${wkb(3857, x, y)}\n`));
  near(await loaded(`n;geom\na;${wkb(4326, x, y)}\n`, { query: 'srs=3857' }));
  assert.match(
    (await refused(`n;geom\na;${wkb(3857, x, y)}\nb;${wkb(4326)}\n`)).message,
    /Feature 2 \(line 3\).*EPSG:4326 is not that of the rows before, EPSG:3857/,
  );
});

test('rows that say to have no place are stored without a geometry', async () => {
  for (const file of [
    'n;lon;lat\na;1;2\nb;N/A;N/A\nc;NULL;null\nd;-;-\ne;NA;NA\n',
    'n;wkt\na;POINT(1 2)\nb;NULL\nc;\\N\nd;nan\ne;None\n',
  ]) {
    const table = await loaded(file);
    assert.deepEqual(points(table), [[1, 2], null, null, null, null], file);
    assert.match(table.report.notes.join(), /4 × point whose position is no number \(feature 2, 3, 4, 5\)/);
  }
});

test('rows with a wrong place are refused with number, line and reason', async () => {
  const cases: [file: string, says: RegExp][] = [
    ['n;lon;lat\na;1;2\nb;181;2\n', /^Feature 2 \(line 3\): geom: the position 181,2 lies beyond/],
    ['n;lon;lat\na;1;2\nb;1;\n', /^Feature 2 \(line 3\): geom: one of the two/],
    ['n;lon;lat\na;1;2\nb;east;2\n', /^Feature 2 \(line 3\): geom: 'east' is no coordinate/],
    ['n;lon;lat\na;1;2\nb;55°N;2\n', /latitude in the column of the other/],
    ['n;wkt\na;POINT(1 2)\nb;POINT(1)\n', /^Feature 2 \(line 3\): geom: the well-known text/],
    [`n;wkt\na;${ring}\nb;"POLYGON((0 0,1 0,1 1))"\n`, /ring/],
    [`n;wkt\na;${wkb()}\nb;${wkb().slice(0, -2)}\n`, /cut off/],
    ['n;coords\na;"55.75, 37.61"\nb;here\n', /'here' is no pair/],
    ['n;coords\na;"55.75, 37.61"\nb;"95, 137"\n', /beyond the range/],
    [
      'n;wkt\na;POINT(1 2)\nb;"CIRCULARSTRING(0 0,1 1)"\n',
      /^Feature 2 \(line 3\): geom: a circular string has 2 positions/,
    ],
    ['a;b\n1;2\n"3"x;4\n', /^Feature 2 \(line 3\): behind a closing quotation mark stands "x;4"/],
    [`a;b\n1;2\n3;${'4'.repeat(100)}\0\n`, /^Feature 2 \(line 3\): b: a text holds the character 0/],
  ];
  for (const [file, says] of cases) {
    const { message, data } = await refused(file);
    assert.match(message, says, file);
    assert.equal(data.feature, 2, message);
    const { report } = await loaded(file, { query: 'skip_errors=1' });
    assert.deepEqual([report.read, report.stored, report.errors.length], [2, 1, 1], file);
  }
  // Cells that are missing or empty at the end are nothing.
  assert.equal((await loaded('a;b\n1\n2;3;;\n')).report.stored, 2);
});

test('cells beyond the header are kept in columns named by their number, also in later rows', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `${i};x\n`).join('');
  const { objects, columns, report } = await loaded(`a;b\n1;2;;\n3;4;;5\n${rows}6;7;8;9\n`);
  assert.deepEqual(columns, { a: 'number', b: 'string', field_4: 'number', field_3: 'number' });
  const some = [objects[0]!, objects[1]!, objects.at(-1)!].map(({ fields }) => fields);
  assert.deepEqual(
    some.map(({ a, b, field_3, field_4 }) => [a, b, field_3, field_4]),
    [
      [1, '2', null, null],
      [3, '4', null, 5],
      [6, '7', 8, 9],
    ],
  );
  assert.deepEqual(report.notes, [
    '2 × row with more cells than the header (feature 2, 603): kept in columns named by their number',
  ]);
  // Texts with the delimiter in most rows, and no quotation marks.
  const wide = await loaded(
    'id,code,name\n1,AE,Ministry, Emirates\n2,AR,Service\n3,AU,Service, Navy, Australia\n',
  );
  assert.deepEqual(Object.keys(wide.columns), ['id', 'code', 'name', 'field_4', 'field_5']);
  // A column of the header that has such a name stays what it is.
  const twin = await loaded('field_3;b\n1;2;5\n');
  assert.deepEqual(twin.columns, { field_3: 'number', b: 'number', field_3_2: 'number' });
});

test('arcs in a table become lines, and it is said', async () => {
  const { objects, report } = await loaded(
    'n;wkt\na;"CIRCULARSTRING(0 0,1 1,2 0)"\nb;"LINESTRING(0 0,1 1)"\n',
  );
  assert.deepEqual(
    objects.map(({ geom }) => [geom.type, geom.coordinates.length]),
    [
      ['LineString', 46],
      ['LineString', 2],
    ],
  );
  assert.deepEqual(report.notes, ['Arcs of circles were stored as lines with a position every 4 degrees']);
});

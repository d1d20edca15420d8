import iconv from 'iconv-lite';
import { type DbfField, dbfOf } from '../shapefiles/shapefile-bytes.js';
import type { TraitCase } from './case.js';

/* Traits of tables of dBase and FoxPro that come without shapes. */

const fields: readonly DbfField[] = [
  ['NAME', 'C', 12],
  ['POP', 'N', 10],
  ['SHARE', 'F', 12],
  ['SINCE', 'D', 8],
];
const rows = [
  ['Moss', '       120', '    0.250000', '19700102'],
  ['Alga', '        -7', ' 1.25000E+03', '20240229'],
  ['', '', '', ''],
  ['Fern', '**********', '   -0.500000', '00000000'],
];

/** A copy of a table with some bytes of its header changed. */
function withHead(bytes: Buffer, change: (head: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** A table whose column `SHARE` has six decimals. */
const tableOf = (markOf: (row: number) => string): Buffer =>
  withHead(
    dbfOf(
      fields,
      rows.map((values, i) => ({ mark: markOf(i), values })),
    ),
    (head) => {
      head[32 + 2 * 32 + 17] = 6;
    },
  );
const table = tableOf(() => ' ');

/** A table of one column of texts in a code page. */
const texts = (encoding: string, ...values: string[]): Buffer =>
  dbfOf(
    [['T', 'C', 60]],
    values.map((value) => ({ mark: ' ', values: [iconv.encode(value, encoding)] })),
  );
const words = ['Берёзовая роща', 'Съезжая улица', 'Объект культурного наследия'];

const language = 29;
const version = 0;

/** Bytes of numbers in the binary types of FoxPro. */
function binary(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}
const integer = (value: number): Buffer => binary(4, (bytes) => bytes.writeInt32LE(value));
const double = (value: number): Buffer => binary(8, (bytes) => bytes.writeDoubleLE(value));
const money = (value: bigint): Buffer => binary(8, (bytes) => bytes.writeBigInt64LE(value));
/** 2024-02-29 is the Julian day 2,460,370. */
const moment = (day: number, ms: number): Buffer => Buffer.concat([integer(day), integer(ms)]);
/** A text shorter than its field, whose last byte is its length. */
const varying = (text: string, size: number): Buffer =>
  binary(size, (bytes) => {
    bytes.fill(' ');
    bytes.write(text);
    bytes[size - 1] = text.length;
  });

const foxProFields: readonly DbfField[] = [
  ['ID', 'I', 4],
  ['RATE', 'B', 8],
  ['COST', 'Y', 8],
  ['AT', 'T', 8],
  ['NOTE', 'V', 8],
  ['_NullFlags', '0', 1],
];

/** A table of Visual FoxPro whose column `ID` may be null; the flags are those of `NOTE` and `ID`. */
const foxPro = withHead(
  dbfOf(foxProFields, [
    {
      mark: ' ',
      values: [
        integer(-5),
        double(0.1),
        money(-123_4500n),
        moment(2_460_370, 3_599_999),
        'whole it',
        Buffer.from([0]),
      ],
    },
    {
      mark: ' ',
      values: [integer(0), double(-2.5), money(1n), moment(0, 0), varying('part', 8), Buffer.from([0b11])],
    },
  ]),
  (head) => {
    head[version] = 0x32;
    head[32 + 18] = 2;
  },
);

const memoFields: readonly DbfField[] = [
  ['N', 'N', 4],
  ['MEMO', 'M', 10],
];
const withMemo = withHead(dbfOf(memoFields, [{ mark: ' ', values: ['   1', '         1'] }]), (head) => {
  head[version] = 0x8b;
});

const alone = /'a\.dbf' comes without \.shp: its objects have a geometry only where columns hold it/;

export const dbfCases: readonly TraitCase[] = [
  { what: 'a table of dBase III', files: { 'a.dbf': table }, notes: alone },
  {
    what: 'deleted records',
    files: { 'a.dbf': tableOf((i) => (i % 2 ? '*' : ' ')) },
    notes: /2 × record marked as deleted/,
  },
  {
    what: 'old records behind the end mark',
    files: { 'a.dbf': Buffer.concat([table, Buffer.from([0x1a]), table.subarray(-43)]) },
  },
  {
    what: 'fewer records in the header than in the file',
    files: { 'a.dbf': withHead(table, (head) => head.writeUInt32LE(2, 4)) },
    notes: /tells 2 records; 4 were found/,
    nativeDiffers: true,
    expected: 4,
  },
  {
    what: 'booleans',
    files: {
      'a.dbf': dbfOf(
        [['OPEN', 'L', 1]],
        [...'TyFn? '].map((value) => ({ mark: ' ', values: [value] })),
      ),
    },
    nativeDiffers: true,
    expected: 6,
    values: [{ OPEN: true }, { OPEN: true }, { OPEN: false }, { OPEN: false }, {}, {}],
  },
  {
    what: 'booleans of another language',
    files: {
      'a.dbf': dbfOf(
        [['OPEN', 'L', 1]],
        [...'SN'].map((value) => ({ mark: ' ', values: [value] })),
      ),
    },
    nativeDiffers: true,
    expected: 2,
    values: [{ OPEN: 'S' }, { OPEN: 'false' }],
  },
  {
    what: 'a name that ends with a byte like a blank, and no mark at the end of the header',
    files: {
      'a.dbf': withHead(texts('utf-8', ...words), (head) => {
        head.write('ШАР', 32);
        head[64] = 0;
      }),
      'a.cpg': 'UTF-8',
    },
    values: words.map((text) => ({ ШАР: text })),
  },
  {
    what: 'no records',
    files: { 'a.dbf': dbfOf(fields, []) },
  },
  {
    what: 'UTF-8 by a .cpg',
    files: { 'a.dbf': texts('utf-8', ...words), 'a.cpg': 'UTF-8' },
  },
  {
    what: 'a code page by a .cpg',
    files: { 'a.dbf': texts('cp866', ...words), 'a.cpg': '866' },
    values: words.map((t) => ({ T: t })),
  },
  {
    what: 'a .cpg with an encoding that no table has',
    files: { 'a.dbf': texts('windows-1251', ...words), 'a.cpg': 'UTF-16' },
    nativeDiffers: true,
    expected: words.length,
    values: words.map((t) => ({ T: t })),
    notes: /windows-1251 was taken/,
  },
  {
    what: 'a code page by a language driver id in a .cpg',
    files: { 'a.dbf': texts('cp866', ...words), 'a.cpg': 'LDID/38\r\n' },
    nativeDiffers: true,
    expected: words.length,
    values: words.map((t) => ({ T: t })),
    notes: /^'a\.dbf' comes without[^\n]*$/,
  },
  {
    what: 'a code page by its language byte',
    files: {
      'a.dbf': withHead(texts('cp866', ...words), (head) => {
        head[language] = 0x26;
      }),
    },
  },
  {
    what: 'a code page that nothing names',
    files: { 'a.dbf': texts('windows-1251', ...words) },
    nativeDiffers: true,
    expected: words.length,
    values: words.map((t) => ({ T: t })),
    notes: /windows-1251 was taken/,
  },
  {
    what: 'dBase IV with memos',
    files: { 'a.dbf': withMemo },
    nativeDiffers: true,
    expected: 1,
    values: [{ N: 1 }],
    notes: /1 columns of memos or binary data in 'a\.dbf' were left out/,
  },
  {
    what: 'the types of Visual FoxPro, and null',
    files: { 'a.dbf': foxPro },
    nativeDiffers: true,
    expected: 2,
    values: [
      { ID: -5, RATE: 0.1, COST: -123.45, AT: '2024-02-29T01:00:00.000Z', NOTE: 'whole it' },
      { RATE: -2.5, COST: 0.0001, NOTE: 'part' },
    ],
  },
];

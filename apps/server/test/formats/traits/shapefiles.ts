import { type DbfRecord, dbfOf, shpOf, shpPoint } from '../shapefiles/shapefile-bytes.js';
import type { TraitCase } from './case.js';

/*
 * Traits of shapefiles that are met in the world: other programs read them, so this service does.
 */

/** A record as the .shx names it. */
interface Entry {
  at: number;
  size: number;
}

/** An index of records (ESRI Shapefile Technical Description, page 23). */
function shxOf(entries: readonly Entry[], type: number): Buffer {
  const file = Buffer.alloc(100 + 8 * entries.length);
  file.writeInt32BE(9994, 0);
  file.writeInt32BE(file.length / 2, 24);
  file.writeInt32LE(1000, 28);
  file.writeInt32LE(type, 32);
  for (const [i, { at, size }] of entries.entries()) {
    file.writeInt32BE(at / 2, 100 + 8 * i);
    file.writeInt32BE(size / 2, 104 + 8 * i);
  }
  return file;
}

/** A .shp whose records are written in this order, with a number of gap bytes before each, and its index. */
function scattered(
  contents: readonly Buffer[],
  { gap = 0, order = [...contents.keys()] }: { gap?: number; order?: number[] },
): { shp: Buffer; shx: Buffer } {
  const entries: Entry[] = [];
  const pieces: Buffer[] = [];
  let at = 100;
  for (const i of order) {
    const content = contents[i]!;
    const head = Buffer.alloc(gap + 8, 0xee);
    head.writeInt32BE(i + 1, gap);
    head.writeInt32BE(content.length / 2, gap + 4);
    pieces.push(head, content);
    entries[i] = { at: at + gap, size: content.length };
    at += gap + 8 + content.length;
  }
  const head = shpOf([]);
  head.writeInt32BE(at / 2, 24);
  const type = contents[0]!.readInt32LE(0);
  head.writeInt32LE(type, 32);
  return { shp: Buffer.concat([head, ...pieces]), shx: shxOf(entries, type) };
}

const count = 5;
const points = Array.from({ length: count }, (_, i) => shpPoint(10 + i, 50 + i / 2));
const fields = [
  ['NAME', 'C', 8],
  ['POP', 'N', 6],
] as const;
const recordOf = (i: number, mark = ' '): DbfRecord => ({
  mark,
  values: [`town ${i}`, String(1000 + i).padStart(6)],
});
const records = Array.from({ length: count }, (_, i) => recordOf(i));
const table = dbfOf(fields, records);

/** A copy of bytes with some of them changed. */
function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** The table with another end of its header. */
function withHead(end: Buffer): Buffer {
  const head = changed(table.subarray(0, 96), (copy) => copy.writeUInt16LE(96 + end.length, 8));
  return Buffer.concat([head, end, table.subarray(97)]);
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, 8 * i);
  return bytes;
};
const integers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, 4 * i);
  return bytes;
};

const box = numbers(0, 0, 10, 10);
const line = [0, 0, 5, 5, 10, 0];
const square = [0, 0, 0, 10, 10, 10, 10, 0, 0, 0];
const hole = [2, 2, 4, 2, 4, 4, 2, 4, 2, 2];
const beside = [20, 0, 20, 10, 30, 10, 30, 0, 20, 0];
const noData = -1e39;

/** Shapes of each type, with all that belongs to them and with what may be absent. */
const shapes: Record<string, Buffer[]> = {
  'points with measures': [
    Buffer.concat([integers(21), numbers(1, 2, 7.5)]),
    Buffer.concat([integers(21), numbers(3, 4, noData)]),
  ],
  'points with heights': [
    Buffer.concat([integers(11), numbers(1, 2, 30, 7.5)]),
    Buffer.concat([integers(11), numbers(3, 4, 31)]),
  ],
  'lines with measures, and one without': [
    Buffer.concat([integers(23), box, integers(1, 3, 0), numbers(...line, 0, 2, 0, 1, 2)]),
    Buffer.concat([integers(23), box, integers(1, 3, 0), numbers(...line)]),
  ],
  'lines with heights, with and without measures': [
    Buffer.concat([integers(13), box, integers(1, 3, 0), numbers(...line, 0, 9, 1, 2, 3, 0, 2, 0, 1, 2)]),
    Buffer.concat([integers(13), box, integers(1, 3, 0), numbers(...line, 0, 9, 1, 2, 3)]),
  ],
  'polygons with measures, and one without': [
    Buffer.concat([integers(25), box, integers(1, 5, 0), numbers(...square, 0, 4, 0, 1, 2, 3, 4)]),
    Buffer.concat([integers(25), box, integers(1, 5, 0), numbers(...square)]),
  ],
  'polygons with heights, without measures': [
    Buffer.concat([integers(15), box, integers(1, 5, 0), numbers(...square, 0, 9, 1, 2, 3, 4, 1)]),
  ],
  'several points with measures, and some without': [
    Buffer.concat([integers(28), box, integers(3), numbers(...line, 0, 2, 0, 1, 2)]),
    Buffer.concat([integers(28), box, integers(3), numbers(...line)]),
  ],
  'several points with heights, without measures': [
    Buffer.concat([integers(18), box, integers(3), numbers(...line, 0, 9, 1, 2, 3)]),
  ],
  'patches: a strip of triangles': [
    Buffer.concat([
      integers(31),
      box,
      integers(1, 4, 0, 0),
      numbers(0, 0, 0, 10, 10, 0, 10, 10, 0, 9, 1, 2, 3, 4),
    ]),
  ],
  'patches: rings': [
    Buffer.concat([integers(31), box, integers(1, 5, 0, 2), numbers(...square, 0, 9, 1, 2, 3, 4, 1)]),
  ],
  // Of each pair of types the first begins a face, and the second is a hole in it.
  'patches: faces with and without a hole': [
    [2, 3, 2],
    [4, 5, 4],
  ].map((types) =>
    Buffer.concat([
      integers(31),
      box,
      integers(3, 15, 0, 5, 10, ...types),
      numbers(...square, ...hole, ...beside, 0, 9, ...square.map(() => 1), ...beside.slice(5)),
    ]),
  ),
  'patches: a fan, with measures': [
    Buffer.concat([
      integers(31),
      box,
      integers(1, 3, 0, 1),
      numbers(0, 0, 0, 10, 10, 10, 0, 9, 1, 2, 3, 0, 1, 5, 6, 7),
    ]),
  ],
  'a polygon of three positions': [
    Buffer.concat([integers(5), box, integers(1, 3, 0), numbers(0, 0, 10, 10, 0, 0)]),
    Buffer.concat([integers(5), box, integers(1, 5, 0), numbers(...square)]),
  ],
  'shapes that are nothing': [points[0]!, integers(0), points[1]!],
};

const shapeCases = Object.entries(shapes).map(([what, contents]): TraitCase => {
  const some = contents.map((_, i) => recordOf(i));
  const { shp, shx } = scattered(contents, {});
  const files = { 'a.shp': shp, 'a.shx': shx, 'a.dbf': dbfOf(fields, some) };
  const notes = what.includes('with measures')
    ? /measures \(M\)/
    : what.includes('of three positions')
      ? /1 × ring of fewer than four positions \(feature 1\)/
      : undefined;
  // GDAL writes no triangles as GeoJSON.
  return /strip|fan|of three positions/.test(what)
    ? { what, files, notes, nativeDiffers: true, expected: contents.length }
    : { what, files, notes };
});

const plain = scattered(points, {});
const gapped = scattered(points, { gap: 24 });
/** An index with one more entry, at the end of the .shp. */
function overlong({ shp, shx }: { shp: Buffer; shx: Buffer }): Buffer {
  const entry = Buffer.alloc(8);
  entry.writeInt32BE(shp.length / 2);
  entry.writeInt32BE(10, 4);
  return changed(Buffer.concat([shx, entry]), (copy) => copy.writeInt32BE(copy.length / 2, 24));
}

const usual = { 'a.shp': plain.shp, 'a.shx': plain.shx, 'a.dbf': table };

/** ED50 in degrees, as programs of ESRI name it: without the shift to another datum. */
const ed50 =
  'GEOGCS["GCS_European_1950",DATUM["D_European_1950",SPHEROID["International_1924",6378388.0,297.0]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** A .shp and a .shx whose heads tell other lengths. */
const told = (bytes: Buffer, length: number): Buffer =>
  changed(bytes, (copy) => copy.writeInt32BE(length / 2, 24));

export const shapefileCases: readonly TraitCase[] = [
  ...shapeCases,
  { what: 'gaps between records', files: { ...usual, ...named(gapped) }, notes: /\d+ bytes of the \.shp/ },
  {
    what: 'gaps between records, in a projection on an old datum',
    files: { ...usual, ...named(gapped), 'a.prj': ed50 },
    notes: /\d+ bytes of the \.shp/,
  },
  {
    what: 'no index, in a projection on an old datum',
    files: { 'a.shp': plain.shp, 'a.dbf': table, 'a.prj': ed50 },
  },
  {
    what: 'records in another order than their index',
    files: { ...usual, ...named(scattered(points, { order: [3, 0, 4, 1, 2] })) },
  },
  {
    what: 'gaps, and records in another order',
    files: { ...usual, ...named(scattered(points, { gap: 6, order: [3, 0, 4, 1, 2] })) },
    notes: /\d+ bytes of the \.shp/,
  },
  {
    what: 'points whose positions are no numbers',
    files: {
      'a.shp': shpOf([shpPoint(1, 2), shpPoint(Number.NaN, Number.NaN), shpPoint(-Number.MAX_VALUE, 0)]),
      'a.dbf': dbfOf(fields, [recordOf(0), recordOf(1), recordOf(2)]),
    },
    nativeDiffers: true,
    expected: 3,
    notes: /2 × point whose position is no number \(feature 2, 3\): stored without geometry/,
  },
  {
    what: 'an index with an entry behind the end of the .shp',
    files: { ...usual, 'a.shx': overlong(plain) },
    notes: /1 entries of the \.shx point beyond the end/,
  },
  {
    what: 'files of other programs beside it',
    files: { ...usual, 'sample.dat': Buffer.from('anything'), 'b.map': Buffer.from('anything') },
    notes: /'sample\.dat': not read, left out/,
  },
  { what: 'no .shx', files: { 'a.shp': plain.shp, 'a.dbf': table } },
  { what: 'no .dbf', files: { ...named(plain) }, notes: /without \.dbf/, valuesDiffer: true },
  {
    what: 'an index that is cut off',
    files: { ...usual, 'a.shx': plain.shx.subarray(0, 120) },
    nativeDiffers: true,
    expected: count,
  },
  { what: 'a .shp that is longer than its head says', files: { ...usual, 'a.shp': told(plain.shp, 156) } },
  {
    what: 'the same without index',
    files: { 'a.shp': told(plain.shp, 100 + 28 * 2), 'a.dbf': table },
    nativeDiffers: true,
    expected: count,
  },
  {
    what: 'bytes behind the last record',
    files: { 'a.shp': Buffer.concat([plain.shp, Buffer.alloc(9)]), 'a.dbf': table },
  },
  { what: 'a .shp that is shorter than its head says', files: { ...usual, 'a.shp': told(plain.shp, 4000) } },
  {
    what: 'the same without index',
    files: { 'a.shp': told(plain.shp, 4000), 'a.dbf': table },
    nativeDiffers: true,
    expected: count,
  },
  {
    what: 'a .dbf without columns',
    files: { ...usual, 'a.dbf': dbfOf([], Array(count).fill({ mark: ' ', values: [] })) },
    valuesDiffer: true,
  },
  {
    what: 'a .dbf without columns, whose head has the length 0',
    files: {
      ...usual,
      'a.dbf': changed(dbfOf([], Array(count).fill({ mark: ' ', values: [] })), (copy) =>
        copy.writeUInt16LE(0, 8),
      ),
    },
    valuesDiffer: true,
  },
  {
    what: 'a .dbf without columns and records',
    files: { ...usual, 'a.dbf': dbfOf([], []) },
    notes: /5 objects have no attributes/,
    nativeDiffers: true,
    expected: count,
  },
  { what: 'a .dbf whose head has no end mark', files: { ...usual, 'a.dbf': withHead(Buffer.alloc(0)) } },
  {
    what: 'a .dbf with two bytes behind the end mark',
    files: { ...usual, 'a.dbf': withHead(Buffer.from([0x0d, 0, 0])) },
  },
  {
    what: 'a .dbf with the link of FoxPro',
    files: { ...usual, 'a.dbf': withHead(Buffer.concat([Buffer.from([0x0d]), Buffer.alloc(263)])) },
  },
  {
    what: 'a .dbf with the end mark of files',
    files: { ...usual, 'a.dbf': Buffer.concat([table, Buffer.from([0x1a])]) },
  },
  {
    what: 'a .dbf that tells more records than there are',
    files: { ...usual, 'a.dbf': changed(table, (copy) => copy.writeUInt32LE(count + 3, 4)) },
  },
  {
    what: 'a .dbf that tells fewer records than there are',
    files: { ...usual, 'a.dbf': changed(table, (copy) => copy.writeUInt32LE(count - 2, 4)) },
    nativeDiffers: true,
    expected: count,
  },
  {
    what: 'a .dbf with fewer records than shapes',
    files: { ...usual, 'a.dbf': dbfOf(fields, records.slice(0, 3)) },
    notes: /2 objects have no attributes/,
    nativeDiffers: true,
    expected: count,
  },
  {
    what: 'a .dbf with more records than shapes',
    files: { ...usual, 'a.dbf': dbfOf(fields, [...records, recordOf(7), recordOf(8)]) },
    notes: /2 records of the \.dbf .* no shape/,
  },
  {
    what: 'records that are marked as deleted',
    files: { ...usual, 'a.dbf': dbfOf(fields, [recordOf(0), recordOf(1, '*'), ...records.slice(2)]) },
    notes: /1 × record marked as deleted/,
  },
  {
    what: 'marks of deletion that are zeros',
    files: {
      ...usual,
      'a.dbf': dbfOf(
        fields,
        records.map((record) => ({ ...record, mark: '\0' })),
      ),
    },
  },
];

function named({ shp, shx }: { shp: Buffer; shx: Buffer }): Record<string, Buffer> {
  return { 'a.shp': shp, 'a.shx': shx };
}

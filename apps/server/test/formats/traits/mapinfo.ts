import { dbfOf } from '../shapefiles/shapefile-bytes.js';
import type { TraitCase } from './case.js';
import { converted } from './native.js';

/* Traits of MapInfo's files that are met in the world. */

const head = `Version 650
Charset "WindowsLatin1"
Delimiter ","
CoordSys Earth Projection 1, 104
Columns 2
  NAME Char(20)
  N Integer
Data

`;

const objects: Record<string, string> = {
  collection: `Collection 3
Region 1
  4
10 10
20 10
20 20
10 10
    Pen (1,2,0)
    Brush (1,0,16777215)
Pline 2
1 1
2 2
    Pen (1,2,0)
Multipoint 2
5 5
6 6
    Symbol (35,0,12)`,
  point: 'Point 1 2\n    Symbol (35,0,12)',
  nothing: 'None',
  points: 'Multipoint 2\n5 5\n6 6',
  text: 'Text "Region 1"\n1 1 2 2\n    Font ("Arial",0,0,0)',
  rectangle: 'Rect 1 1 2 2',
  lines: 'Pline Multiple 2\n2\n1 1\n2 2\n3\n4 4\n5 5\n6 6',
  line: 'Line 0 0 1 1',
  'small collection': 'COLLECTION 1\nPline 2\n1 1\n2 2',
};

const mif = `${head}${Object.values(objects).join('\n')}\n`;
const mid = Object.keys(objects)
  .map((name, i) => `"${name}",${i}\n`)
  .join('');

/** The header of a table whose rows are in a DBF. */
const asDbf = `!table
!version 300
!charset WindowsLatin1

Definition Table
  Type DBF Charset "WindowsLatin1"
  Fields 2
    NAME Char (10) ;
    N Integer ;
`;

/** Tables of points, some with their rows in a DBF. */
function tables(): TraitCase[] {
  const points = [1, 3, 5].map((x, i) => ({
    type: 'Feature',
    properties: { NAME: `town ${i}`, N: i },
    geometry: { type: 'Point', coordinates: [x, x + 1] },
  }));
  const files = converted({ type: 'FeatureCollection', features: points }, 'MapInfo File', 't.tab');
  const { 't.tab': tab, 't.map': map, 't.id': id } = files as Record<string, Buffer>;
  const records = (deleted: number) =>
    dbfOf(
      [
        ['NAME', 'C', 10],
        ['N', 'N', 9],
      ],
      points.map(({ properties: { NAME, N } }, i) => ({
        mark: i === deleted ? '*' : ' ',
        values: [NAME, String(N).padStart(9)],
      })),
    );
  // A row that is deleted has no place in the .map either.
  const withoutSecond = Buffer.from(id!);
  withoutSecond.writeUInt32LE(0, 4);
  const deleted = Buffer.from(files['t.dat']!);
  deleted.write('*', deleted.readUInt16LE(8) + deleted.readUInt16LE(10));
  const seamless = tab!
    .toString('latin1')
    .replace('Fields 2', 'Fields 1')
    .concat('begin_metadata\n"\\IsSeamless" = "TRUE"\nend_metadata\n');
  return [
    { what: 'a table', files: { 't.tab': tab!, ...files } },
    {
      what: 'a table with rows in a DBF',
      files: { 't.tab': asDbf, 't.dbf': records(-1), 't.map': map!, 't.id': id! },
    },
    {
      what: 'a deleted row in a DBF',
      files: { 't.tab': asDbf, 't.dbf': records(1), 't.map': map!, 't.id': withoutSecond },
    },
    { what: 'a deleted row', files: { 't.tab': tab!, ...files, 't.dat': deleted, 't.id': withoutSecond } },
    {
      what: 'a table beside a view and a seamless table of it',
      files: {
        't.tab': tab!,
        ...files,
        'v.tab': '!Table\n!Version 100\nOpen Table "t" Hide\nCreate View v As\nSelect NAME From t\n',
        's.tab': seamless,
      },
      notes: /(?=[\s\S]*'v\.tab' is a view)(?=[\s\S]*'s\.tab' is a seamless table)/,
    },
  ];
}

export const mapinfoCases = (): TraitCase[] => [
  {
    what: 'objects of all kinds',
    files: { 'a.mif': mif, 'a.mid': mid },
    notes: /1 objects of 'a\.mif' are texts/,
  },
  ...tables(),
];

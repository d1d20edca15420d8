import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TraitCase } from './case.js';
import { converted } from './native.js';

/* Traits of GeoPackages, FlatGeobuf and GPX that are met in the world. */

const feature = (coordinates: number[], properties: object): object => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
});
const towns = {
  type: 'FeatureCollection',
  features: [1, 3, 5].map((x, i) => feature([x, x + 1], { name: `town ${i}`, n: i })),
};

/** A geometry of a GeoPackage (OGC 12-128r18, 2.1.3) as SQL: its flags, then WKB. */
const blob = (wkb: string, flags = '01'): string => `x'475000${flags}e6100000${wkb}'`;
const double = (value: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
};
const line = `010200000002000000${[0, 0, 1, 1].map(double).join('')}`;
const emptyLine = '010200000000000000';
const arc = `010800000003000000${[0, 0, 1, 1, 2, 0].map(double).join('')}`;
const short = `010300000001000000${'03000000'}${[0, 0, 1, 1, 0, 0].map(double).join('')}`;
const pointZm = `01b90b0000${[1, 2, 3, 4].map(double).join('')}`;

/** A GeoPackage after some statements. */
function geopackage(base: Buffer, ...statements: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-traits-'));
  try {
    const path = join(folder, 'a.gpkg');
    writeFileSync(path, base);
    for (const statement of statements) spawnSync('ogrinfo', ['-q', path, '-sql', statement]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const table =
  "insert into gpkg_contents (table_name, data_type, identifier) values ('list', 'attributes', 'list')";
const list = [
  'create table list (id integer primary key, k integer, v text)',
  "insert into list values (1, 7, 'x'), (2, 8, 'y')",
];

const second = [
  'create table b (fid integer primary key, geom POINT, other text)',
  "insert into b select fid, geom, 'x' from a",
  "insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('b', 'features', 'b', 4326)",
  "insert into gpkg_geometry_columns values ('b', 'geom', 'POINT', 4326, 0, 0)",
];

const geopackages: readonly [what: string, statements: string[], rest?: Partial<TraitCase>][] = [
  ['no application', ['pragma application_id = 0'], { notes: /application_id/ }],
  ['another application', ['pragma application_id = 12345'], { notes: /application_id/ }],
  ['a newer version', ['pragma user_version = 10400']],
  ['a geometry that is null', ['update a set geom = null where fid = 2']],
  [
    'a geometry that is empty',
    [`update a set geom = ${blob(emptyLine, '11')} where fid = 3`],
    { nativeDiffers: true, expected: 3 },
  ],
  [
    'a polygon of three positions',
    [`update a set geom = ${blob(short)} where fid = 3`],
    { nativeDiffers: true, expected: 3, notes: /1 × ring of fewer than four positions \(feature 3\)/ },
  ],
  [
    'a column with the name that PostGIS gives to ids',
    ['alter table a add column ogc_fid integer', 'update a set ogc_fid = 10 + fid'],
  ],
  ['a line among points', [`update a set geom = ${blob(line)} where fid = 3`]],
  [
    'an arc of a circle',
    [`update a set geom = ${blob(arc)} where fid = 3`],
    { nativeDiffers: true, expected: 3, notes: /1 × arc of a circle \(feature 3\): stored as a line/ },
  ],
  [
    'null in a column with a default value',
    ["alter table a add column d text default 'x'", 'update a set d = null where fid = 2'],
  ],
  [
    'a geometry that cannot be read',
    [`update a set geom = ${blob('01ffffffff00')} where fid = 2`],
    { notes: /^1 geometries in 'a\.gpkg' could not be read: their objects have none$/m },
  ],
  [
    'heights and measures',
    ['update gpkg_geometry_columns set z = 1, m = 1', `update a set geom = ${blob(pointZm)}`],
    { notes: /measures \(M\)/ },
  ],
  ['a table without geometries', [...list, table]],
  [
    'a table without geometries alone',
    [
      'drop table a',
      'delete from gpkg_contents',
      'delete from gpkg_geometry_columns',
      'drop table gpkg_ogr_contents',
      ...list,
      table,
    ],
  ],
  ['a table that is not listed', list],
  [
    'a table without row ids that is not listed',
    ['create table kv (k text primary key, v text) without rowid', "insert into kv values ('a', 'b')"],
    { nativeDiffers: true, expected: 3, notes: /^'kv': not read, left out$/m },
  ],
  [
    'the styles of QGIS',
    [...list, table].map((statement) => statement.replaceAll('list', 'layer_styles')),
    {
      nativeDiffers: true,
      expected: 3,
      notes: /^'layer_styles': not read, left out$/,
    },
  ],
  ['two tables of features', second, { notes: /The file has 2 layers, and all were read: 'a', 'b'\./ }],
  ...['b', ' B', '2'].map((sheet): [string, string[], Partial<TraitCase>] => [
    `the second of two tables of features, '${sheet}'`,
    second,
    {
      query: `sheet=${encodeURIComponent(sheet)}`,
      values: [{ other: 'x' }, { other: 'x' }, { other: 'x' }],
      nativeDiffers: true,
      expected: 3,
    },
  ]),
  [
    'an extension that nobody knows',
    [
      'create table if not exists gpkg_extensions (table_name text, column_name text, extension_name text, definition text, scope text)',
      "insert into gpkg_extensions values ('a', null, 'my_ext', 'none', 'read-write')",
    ],
    { notes: /my_ext/ },
  ],
  [
    'a count that is wrong',
    ['update gpkg_ogr_contents set feature_count = 99'],
    { notes: /tells 99 features, but has 3/ },
  ],
  [
    'a date that is none',
    ['alter table a add column d date', "update a set d = 'some day' where fid = 2"],
    { notes: /some day/ },
  ],
  [
    'a column that must be filled, with a value of another type',
    [
      "alter table a add column d date not null default '2024-05-01'",
      'update a set d = 20150101 where fid = 2',
    ],
    { notes: /column d/ },
  ],
  ['no features', ['delete from a']],
];

/** Heights of some features in a layer that does not say whether it has them. */
const someHeights = {
  type: 'FeatureCollection',
  features: [feature([1, 2], { n: 1 }), feature([1, 2, 30], { n: 2 })],
};

const gpx = `<?xml version="1.0"?>
<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="1" lon="2"><ele>5.5</ele><name>w</name><extensions><foo>1</foo></extensions></wpt>
<rte><name>r</name><rtept lat="1" lon="2"/></rte><rte><name>r0</name></rte>
<trk><name>t</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>
<trk><name>t2</name><trkseg><trkpt lat="1" lon="2"/></trkseg><trkseg><trkpt lat="1" lon="2"/><trkpt lat="3" lon="4"/></trkseg><trkseg/></trk>
</gpx>`;

export function otherCases(): TraitCase[] {
  const base = converted(towns, 'GPKG', 'a.gpkg')['a.gpkg']!;
  return [
    ...geopackages.map(
      ([what, statements, rest]): TraitCase => ({
        what: `GeoPackage: ${what}`,
        files: { 'a.gpkg': geopackage(base, ...statements) },
        ...rest,
      }),
    ),
    {
      what: 'GeoPackage: heights of some features',
      files: converted(someHeights, 'GPKG', 'a.gpkg', '-nlt', 'GEOMETRY'),
    },
    {
      what: 'FlatGeobuf: heights',
      files: converted(someHeights, 'FlatGeobuf', 'a.fgb', '-nlt', 'GEOMETRYZ'),
    },
    {
      what: 'GPX: tracks and routes of one point and of none',
      files: { 'a.gpx': gpx },
      nativeDiffers: true,
      expected: 5,
      notes:
        /(?=[\s\S]*3 × line of one position \(feature 2, 4, 5\))(?=[\s\S]*Of the 4 track points the places and heights were kept)/,
    },
  ];
}

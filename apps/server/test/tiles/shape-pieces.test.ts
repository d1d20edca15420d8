import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ident, sql } from '@cartulary/sql';
import type { Position } from 'geojson';
import sharp from 'sharp';
import { ShapePyramids } from '../../src/tiles/shape-pieces/shape-pyramids.js';
import { startServer, type TestServer } from '../support/server.js';
import { type DrawFresh, freshDrawer, type Place } from './cache/kept-support.js';

let server: TestServer;
let pyramids: ShapePyramids;
/** Draws with pieces, and whole shapes. */
let drawers: (() => DrawFresh)[];

before(async () => {
  server = await startServer({}, 'here');
  const { db } = server.server.services;
  pyramids = new ShapePyramids({ db, config: { shapePiecesFrom: 300 }, warn: assert.fail, delayMs: 0 });
  drawers = await Promise.all([freshDrawer(server, { shapePyramids: pyramids }), freshDrawer(server)]);
});
after(() => server?.stop());

/** A coast of ever smaller bays between two positions; `seed` decides where they are. */
function coast(from: Position, to: Position, depth: number, seed: number): Position[] {
  if (!depth) return [from];
  const [x, y] = [to[0]! - from[0]!, to[1]! - from[1]!];
  const turn = 0.28 * Math.sin(seed * 12.9898 + depth * 78.233);
  const middle = [from[0]! + x / 2 - y * turn, from[1]! + y / 2 + x * turn];
  return [...coast(from, middle, depth - 1, seed * 2), ...coast(middle, to, depth - 1, seed * 2 + 1)];
}

/** A closed ring around corners, with 2^depth positions between two of them. */
function ringOf(corners: readonly Position[], depth: number): Position[] {
  const ring = corners.flatMap((corner, i) =>
    coast(corner, corners[(i + 1) % corners.length]!, depth, i + 1),
  );
  return [...ring, ring[0]!];
}

const island: Position[][] = [
  ringOf(
    [
      [-30, 20],
      [20, 10],
      [40, 65],
      [-10, 72],
    ],
    10,
  ),
  // A lake, and one of two positions between corners far apart: its long edges are straight in the picture.
  ringOf(
    [
      [0, 40],
      [3, 52],
      [14, 45],
    ],
    7,
  ),
  [
    [-12, 30],
    [-2, 62],
    [-8, 61],
    [-12, 30],
  ],
];
const neighbour: Position[][] = [[...island[0]!].reverse().map(([x, y]) => [80 - x!, y!])];

/** Places of a picture whose centre is a position: tiles of several zoom levels. */
const tilesOver = ([lon, lat]: Position, levels: readonly number[]): Place[] =>
  levels.map((z) => {
    const y = (1 - Math.asinh(Math.tan((lat! * Math.PI) / 180)) / Math.PI) / 2;
    return [z, Math.floor((lon! / 360 + 0.5) * 2 ** z), Math.floor(y * 2 ** z)];
  });

async function makeMap(map: string, css_style: string, geometries: readonly object[]): Promise<number> {
  await server.admin('POST', '/', { code: map });
  const { id } = await server.admin('POST', `/${map}/layers/`, { code: 'areas' });
  const features = geometries.map((geometry, i) => ({
    type: 'Feature',
    properties: { name: `Land ${i}` },
    geometry,
  }));
  await server.admin('POST', `/${map}/layers/areas/import/`, { type: 'FeatureCollection', features });
  await server.admin('PATCH', `/${map}/layers/areas/`, { css_style });
  await drawers[0]!()(map, [0, 0, 0]);
  await pyramids.settled();
  return id;
}

/** Share of the pixels that differ by more than `most` in a channel. */
async function differing(one: Buffer, other: Buffer, most: number): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((png) => sharp(png).ensureAlpha().raw().toBuffer()));
  let count = 0;
  for (let i = 0; i < a!.length; i += 4)
    if ([0, 1, 2, 3].some((channel) => Math.abs(a![i + channel]! - b![i + channel]!) > most)) count++;
  return count / (a!.length / 4);
}

async function assertAlike(map: string, places: readonly Place[], share: number): Promise<void> {
  const [fromPieces, fromWhole] = drawers.map((drawer) => drawer());
  let inked = 0;
  for (const place of places)
    for (const scale of [1, 2]) {
      const [one, other] = [await fromPieces!(map, place, scale), await fromWhole!(map, place, scale)];
      if (other.length > 1_000) inked++;
      const found = await differing(one, other, 48);
      assert.ok(found <= share, `${map} ${place.join('/')} at ${scale}: ${found}`);
    }
  assert.ok(inked > places.length / 2, `${inked} pictures show something`);
}

const shapes =
  'polygon-fill: #7a5; polygon-opacity: 0.6; line-color: #333; line-width: 3; line-opacity: 0.7;';
const spots: Position[] = [island[0]![700]!, island[0]![2000]!, island[1]![40]!, [20, 40]];
const places = [
  ...spots.flatMap((spot) => tilesOver(spot, [0, 2, 4, 6, 9, 12, 16])),
  // Deeper, Mapnik draws the edges of whole shapes at wrong places: its pixels are far apart.
  ...[
    [-7, 46],
    [-12, 30.2],
  ].flatMap((spot) => tilesOver(spot, [5, 9, 12])),
];

test('areas with holes and neighbours look alike from pieces and whole, at all levels', async () => {
  const geometries = [
    {
      type: 'MultiPolygon',
      coordinates: [
        island,
        [
          ringOf(
            [
              [50, 0],
              [51, 0],
              [51, 1],
            ],
            6,
          ),
        ],
      ],
    },
    { type: 'Polygon', coordinates: neighbour },
  ];
  const id = await makeMap('areas', `#areas { ${shapes} }`, geometries);
  const [found] = await server.db.query<{ pieces: number; leaves: number }>(sql`
    select count(*)::integer as pieces, count(*) filter (where is_leaf)::integer as leaves
    from cartulary.shape_piece where layer_id = ${id}`);
  const { pieces, leaves } = found!;
  assert.ok(pieces > leaves && leaves > 8, `${pieces} pieces, ${leaves} leaves`);
  await assertAlike('areas', places, 0.002);
});

test('lines look alike, and labels above them, inside of areas and along lines', async () => {
  const style = `#areas { ${shapes} [name = 'Land 1'] { polygon-opacity: 0; } }
    #areas::line["mapnik::geometry_type" = linestring] { line-color: #06c; line-width: 2; }
    #areas::label["mapnik::geometry_type" = polygon] { text-name: [name]; text-face-name: "DejaVu Sans Book"; text-size: 14; text-placement: interior; text-wrap-width: 20; }
    #areas::label["mapnik::geometry_type" = linestring] { text-name: [name]; text-face-name: "DejaVu Sans Book"; text-placement: line; text-size: 11; }`;
  const river = coast([-60, 5], [60, -25], 12, 3);
  const geometries = [
    { type: 'Polygon', coordinates: island },
    { type: 'LineString', coordinates: [...river, [60, -25]] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [60, 30],
          [70, 30],
          [70, 40],
          [60, 40],
          [60, 30],
        ],
      ],
    },
  ];
  await makeMap('labels', style, geometries);
  const seen = [
    ...[1000, 2500].flatMap((i) => tilesOver(river[i]!, [1, 3, 5, 8, 11])),
    ...tilesOver([6, 42], [1, 3, 4]),
    ...tilesOver([65, 35], [4, 5]),
  ];
  // The label inside may lie a pixel beside that of Mapnik, which looks for its place less closely.
  await assertAlike('labels', seen, 0.02);
});

test('a changed shape is drawn as it is at once, and later from new pieces; pieces of former versions go', async () => {
  const id = await makeMap('changed', `#areas { ${shapes} }`, [{ type: 'Polygon', coordinates: island }]);
  const versions = (): Promise<{ version: string }[]> =>
    server.db.query(sql`select distinct version::text from cartulary.shape_piece where layer_id = ${id}`);
  const [before] = await versions();
  await server.admin('PUT', '/changed/layers/areas/objects/1/', {
    name: 'x',
    geom: { type: 'Polygon', coordinates: neighbour },
  });
  const tiles = tilesOver(neighbour[0]![900]!, [1, 3, 6, 9]);
  await assertAlike('changed', tiles, 0.002);
  await pyramids.settled();
  const after = await versions();
  assert.equal(after.length, 1);
  assert.notEqual(after[0]!.version, before!.version);
  await assertAlike('changed', tiles, 0.002);
  await server.admin('DELETE', '/changed/layers/areas/objects/1/');
  await drawers[0]!()('changed', [0, 0, 0]);
  await pyramids.settled();
  assert.deepEqual(await versions(), []);
});

test('shapes are found although the layer is looked at again before the search, while another process divides one of them', async () => {
  const geometries = [island, neighbour].map((coordinates) => ({ type: 'Polygon', coordinates }));
  await server.admin('POST', '/', { code: 'again' });
  const { id } = await server.admin('POST', '/again/layers/', { code: 'areas' });
  const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
  await server.admin('POST', '/again/layers/areas/import/', { type: 'FeatureCollection', features });
  await server.db.query(sql`
    insert into cartulary.shape_pyramid (layer_id, svc_id, version)
    select ${id}, svc_id, xmin::text::bigint from ${ident('cartulary_data', `layer_${id}`)} where svc_id = 1`);
  const { db } = server.server.services;
  const slow = new ShapePyramids({ db, config: { shapePiecesFrom: 300 }, warn: assert.fail, delayMs: 4_000 });
  await slow.among([{ id, version: 1 }]);
  await sleep(3_200);
  await slow.among([{ id, version: 1 }]);
  await slow.settled();
  assert.deepEqual(await slow.among([{ id, version: 1 }]), new Set([id]));
  const made = await server.db.query(sql`
    select svc_id::integer as id, is_complete from cartulary.shape_pyramid where layer_id = ${id} order by 1`);
  assert.deepEqual(made, [
    { id: 1, is_complete: false },
    { id: 2, is_complete: true },
  ]);
});

import { equal } from '../../rules.js';
import { found, get, linkIn, ogcRule, ogcWriteRule, refused } from './door.js';

const relation = (name: string): string => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;
const spec = 'http://www.opengis.net/spec';

ogcRule(
  'Tiles',
  'the landing page leads to tiles and matrix sets, and the classes are told',
  async ({ c, root }) => {
    const landing = await found(c, root);
    for (const name of ['tilesets-map', 'tilesets-vector', 'tiling-schemes', 'map'])
      equal(typeof linkIn(landing, relation(name)), 'string', `link ${name}`);
    const { conformsTo } = (await found(c, `${root}/conformance`)).json;
    for (const name of [
      ...['core', 'tileset', 'tilesets-list', 'dataset-tilesets', 'geodata-tilesets', 'mvt', 'png'].map(
        (one) => `ogcapi-tiles-1/1.0/conf/${one}`,
      ),
      ...['core', 'scaling', 'spatial-subsetting', 'crs', 'dataset-map', 'collection-map', 'png'].map(
        (one) => `ogcapi-maps-1/1.0/conf/${one}`,
      ),
    ])
      equal(conformsTo.includes(`${spec}/${name}`), true, name);
  },
);

ogcRule('Tiles', 'tile matrix sets: their definitions', async ({ c, root }) => {
  const { tileMatrixSets } = (await found(c, `${root}/tileMatrixSets`)).json;
  equal(
    tileMatrixSets.map(({ id }: { id: string }) => id),
    ['WebMercatorQuad', 'WorldCRS84Quad'],
    'ids',
  );
  const { crs, tileMatrices } = (await found(c, `${root}/tileMatrixSets/WorldCRS84Quad`)).json;
  equal(crs, 'http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'system');
  const { pointOfOrigin, matrixWidth, matrixHeight, cellSize } = tileMatrices[1];
  equal([pointOfOrigin, matrixWidth, matrixHeight, cellSize], [[-180, 90], 4, 2, 0.3515625], 'matrix 1');
});

ogcRule('Tiles', 'a tileset: data type, limits of every matrix, links', async ({ c, root, at }) => {
  for (const base of [root, at])
    for (const [end, type] of [
      ['map/tiles', 'map'],
      ['tiles', 'vector'],
    ] as const) {
      const set = await found(c, `${base}/${end}/WebMercatorQuad`);
      equal(set.json.dataType, type, 'data type');
      const scheme = await found(c, linkIn(set, relation('tiling-scheme'))!);
      equal(set.json.tileMatrixSetLimits.length, scheme.json.tileMatrices.length, 'limits');
      const tile = await found(c, linkIn(set, 'item')!.replace('{tileMatrix}/{tileRow}/{tileCol}', '2/1/2'));
      equal(tile.type, type === 'map' ? 'image/png' : 'application/vnd.mapbox-vector-tile', 'media type');
    }
});

ogcRule('Tiles', 'what is not there is 404', async ({ c, root }) => {
  for (const path of ['Nothing', 'WebMercatorQuad/2/4/0', 'WebMercatorQuad/99/0/0'])
    await refused(c, `${root}/map/tiles/${path}`, 404);
  await refused(c, `${root}/tileMatrixSets/Nothing`, 404);
});

ogcRule('Maps', 'a picture: size, system and box', async ({ c, root, at }) => {
  for (const base of [root, at]) {
    const picture = await found(c, `${base}/map?bbox=0,0,40,20&crs=EPSG:4326&width=80`);
    equal(picture.type, 'image/png', 'media type');
    equal(picture.headers.get('content-crs'), '<http://www.opengis.net/def/crs/EPSG/0/4326>', 'system');
    equal(picture.headers.get('content-bbox'), '0,0,20,40', 'box, in the order of the axes');
  }
  equal((await get(c, `${root}/map?f=jpeg&width=80`)).type, 'image/jpeg', 'JPEG');
  for (const wrong of [
    'bbox=1,2,3',
    'bbox=4,4,1,1',
    'crs=EPSG:99999',
    'width=0',
    'width=1000000',
    'nothing=1',
  ])
    await refused(c, `${root}/map?${wrong}`, 400);
});

/** Width and height of a PNG. */
const sizeOf = (bytes: Uint8Array): [number, number] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

const near = (values: readonly number[], expected: readonly number[], tolerance: number, what: string) =>
  equal(
    values.map((value, i) => (Math.abs(value - expected[i]!) <= tolerance ? expected[i] : value)),
    expected,
    what,
  );

ogcRule('Maps', 'a subset is the same box as bbox', async ({ c, root }) => {
  for (const subset of ['subset=Lat(0:20),Lon(0:40)', 'subset=Lon(0:40)&subset=Lat(0:20)']) {
    const picture = await found(c, `${root}/map?${subset}&crs=EPSG:4326&width=80`);
    equal(picture.headers.get('content-bbox'), '0,0,20,40', subset);
  }
  const plane = 'subset=E(0:4000000),N(0:2000000)&subset-crs=EPSG:3857&crs=EPSG:3857&width=80';
  const picture = await found(c, `${root}/map?${plane}`);
  equal(picture.headers.get('content-bbox'), '0,0,4000000,2000000', 'a projected system');
  await refused(c, `${root}/map?subset=E(0:1)`, 400);
  await refused(c, `${root}/map?subset=Lat(100:120)`, 404);
});

ogcRule('Maps', 'scale-denominator: the size of a box, or the box around center', async ({ c, root }) => {
  const sized = await found(c, `${root}/map?bbox=0,30,30,50&crs=EPSG:4326&scale-denominator=10000000`);
  // The examples of the standard, which leaves some freedom of computing.
  near(sizeOf(sized.bytes), [1033, 795], 10, 'size');
  const around = `center=12.4922,41.8902&crs=EPSG:4326&scale-denominator=10000000&width=1024&height=768`;
  const box = (await found(c, `${root}/map?${around}`)).headers.get('content-bbox')!.split(',').map(Number);
  near(box, [32.23, -2.73, 51.55, 27.72], 0.3, 'box');
});

ogcRule('Maps', 'a box across 180 degrees', async ({ c, root }) => {
  const picture = await found(c, `${root}/map?bbox=170,-10,-170,10&crs=EPSG:4326&width=80`);
  equal(picture.headers.get('content-bbox'), '-10,170,10,-170', 'box');
  equal(sizeOf(picture.bytes), [80, 80], 'size');
});

ogcRule('Maps', 'parameters that exclude each other are 400', async ({ c, root }) => {
  for (const wrong of [
    'bbox=1,2,3,4&center=2,3',
    'bbox=1,2,3,4&subset=Lat(2:4)',
    'center=2,3&subset=Lat(2:4)',
    'bbox=1,2,3,4&scale-denominator=1000000&width=80',
    'subset=Lat(2:4)&scale-denominator=1000000&height=80',
  ])
    await refused(c, `${root}/map?${wrong}`, 400);
});

ogcWriteRule('Maps', 'a layer of images is a collection with a picture and map tiles alone', async (door) => {
  const { c, root } = door;
  const layer = { code: 'r', type: 'raster' };
  await c.make(`/${root.split('/').at(-1)}/layers/`, layer);
  const { collections } = (await found(c, `${root}/collections`)).json;
  const listed = collections.find(({ id }: { id: string }) => id === 'r');
  const one = await found(c, `${root}/collections/r`);
  for (const { links, itemType } of [listed, one.json]) {
    const rels = links.map(({ rel }: { rel: string }) => rel.split('/').at(-1));
    equal([rels.includes('map'), rels.includes('items'), itemType], [true, false, undefined], 'links');
  }
  await found(c, linkIn(one, relation('map'))!);
  await refused(c, `${root}/collections/r/items`, 404);
});

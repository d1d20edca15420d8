import type { Feature, Geometry, Position } from 'geojson';

/** What the pictures of the guide show: a few parks, roads and places, laid out in pixels of the picture. */

/** Pixels of a picture at scale 1. */
export const width = 200;
export const height = 120;

/** The tile whose middle the picture is: north-east of 0, 0, where degrees are as wide as they are high. */
export const tile = { z: 12, x: 2048, y: 2048 } as const;
const degrees = 360 / 2 ** tile.z / 256;
const [left, top] = [(256 - width) / 2, (256 - height) / 2];

/** A place in the picture as longitude and latitude. */
const at = ([x, y]: Position): Position => [(x! + left) * degrees, (256 - y! - top) * degrees];

const feature = (geometry: Geometry, properties: Feature['properties']): Feature => ({
  type: 'Feature',
  properties,
  geometry,
});
const area = (ring: Position[], properties: object): Feature =>
  feature({ type: 'Polygon', coordinates: [[...ring, ring[0]!].map(at)] }, { ...properties });
const line = (path: Position[], properties: object): Feature =>
  feature({ type: 'LineString', coordinates: path.map(at) }, { ...properties });
const point = (place: Position, properties: object): Feature =>
  feature({ type: 'Point', coordinates: at(place) }, { ...properties });

const parks: Feature[] = [
  area([[12, 16], [70, 8], [88, 40], [62, 62], [18, 56]], { name: 'Luxembourg', hectares: 23, kind: 'garden', lawn: 12, wood: 7, water: 4 }),
  area([[106, 12], [166, 18], [192, 58], [142, 70], [110, 46]], { name: 'Tuileries', hectares: 30, kind: 'garden', lawn: 9, wood: 16, water: 5 }),
  area([[24, 76], [82, 70], [102, 108], [40, 113]], { name: 'Monts', hectares: 12, kind: 'park', lawn: 3, wood: 8, water: 1 }),
  area([[120, 82], [180, 80], [186, 112], [114, 114]], { name: 'Monceau', hectares: null, kind: null, lawn: null, wood: null, water: null }),
]; // biome-ignore format: a table

const roads: Feature[] = [
  line([[0, 96], [50, 60], [92, 72], [140, 30], [200, 42]], { name: 'Rivoli', load: 40 }),
  line([[18, 0], [60, 40], [122, 88], [152, 120]], { name: 'Haussmann', load: 12 }),
  line([[0, 22], [82, 108], [200, 92]], { name: 'Ring', load: 75 }),
]; // biome-ignore format: a table

const places: Feature[] = [
  point([26, 32], { name: 'Ash', people: 1200, kind: 'town', a: 5, b: 3, c: 2 }),
  point([62, 86], { name: 'Elm', people: 90000, kind: 'city', a: 9, b: 8, c: 6 }),
  point([98, 38], { name: 'Fir', people: 700, kind: 'town', a: 2, b: -1, c: 4 }),
  point([136, 88], { name: 'Oak', people: 25000, kind: 'city', a: 4, b: 7, c: 3 }),
  point([168, 34], { name: 'Yew', people: 5000, kind: 'port', a: 1, b: 5, c: 2 }),
  point([104, 74], { name: 'Bay', people: 12000, kind: 'port', a: 3, b: 2, c: 6 }),
  point([182, 96], { name: 'Lime', people: null, kind: null, a: null, b: null, c: null }),
]; // biome-ignore format: a table

/** Points that gather in two places; the same each time. */
function crowd(): Feature[] {
  let state = 7;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const near = (): number => (random() + random() + random() - 1.5) / 1.5;
  return Array.from({ length: 90 }, (_, i) => {
    const [x, y, reach] = i % 3 ? [62, 62, 46] : [146, 56, 40];
    const kind = i % 2 ? 'oak' : 'birch';
    return point([x! + near() * reach!, y! + near() * reach!], {
      kind,
      weight: i % 3 ? 1 : 6,
      reach: (i * 7) % 10,
    });
  });
}

/** Layers by code. */
export const layers: Readonly<Record<string, Feature[]>> = { parks, roads, places, crowd: crowd() };

/** The layer of an image: colours in squares, of which the picture shows a few. */
export const image = { code: 'photo', width: 10, height: 6, box: [at([0, height]), at([width, 0])] } as const;

import type { Feature, Geometry, Position } from 'geojson';
import type { TestAnswer, TestServer } from '../support/server.js';

const polygon = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings });
const feature = (geometry: Geometry, properties: Record<string, unknown>): Feature => ({
  type: 'Feature',
  properties,
  geometry,
});

/** Within the tile z=3, x=4, y=4 (from the south: 0 to 45 degrees east, 0 to 40.98 north). */
const land: Feature[] = [
  feature(
    polygon([
      [2, 4],
      [22, 3],
      [26, 18],
      [19, 36],
      [8, 38],
      [3, 30],
      [6, 18],
      [2, 4],
    ]),
    { kind: 'wood' },
  ),
  feature(
    polygon(
      [
        [24, 20],
        [40, 16],
        [44, 30],
        [36, 39],
        [25, 34],
        [24, 20],
      ],
      [
        [30, 24],
        [37, 23],
        [37, 31],
        [31, 32],
        [30, 24],
      ],
    ),
    { kind: 'field' },
  ),
  feature(
    polygon([
      [26, 2],
      [42, 2],
      [42, 12],
      [26, 12],
      [26, 2],
    ]),
    { kind: 'town' },
  ),
];

const roads: Feature[] = [
  feature(
    {
      type: 'LineString',
      coordinates: [
        [0, 10],
        [12, 14],
        [20, 9],
        [30, 14],
        [45, 13],
      ],
    },
    { lanes: 4 },
  ),
  feature(
    {
      type: 'LineString',
      coordinates: [
        [12, 0],
        [14, 16],
        [16, 41],
      ],
    },
    { lanes: 2 },
  ),
  feature(
    {
      type: 'LineString',
      coordinates: [
        [20, 41],
        [28, 28],
        [45, 20],
      ],
    },
    { lanes: 1 },
  ),
];

interface Place {
  en: string;
  ru: string;
  people: number;
  at: Position;
}
const places: Place[] = [
  { en: 'Oakham', ru: 'Дубрава', people: 100_000, at: [11, 25] },
  { en: 'Millford', ru: 'Мельница', people: 900_000, at: [33, 7] },
  { en: 'Lakeview', ru: 'Озёрск', people: 10_000, at: [33, 27.5] },
  // On the eastern border of the tile.
  { en: 'Borderton on the edge', ru: 'Пограничный город', people: 40_000, at: [44, 35] },
];

const styles = {
  places: `#places {
    marker-width: [people] / 100000 + 6; marker-fill: #b5482a; marker-line-color: #fff; marker-allow-overlap: true;
    ::label { text-name: [name]; text-face-name: "DejaVu Sans Book"; text-size: 12; text-dy: 10; text-fill: #333;
      text-halo-fill: #fff; text-halo-radius: 1.5; }
  }`,
  roads: `#roads {
    ::casing { line-color: #755; line-width: 5; line-cap: round; [lanes = 1] { line-width: 2.5; } }
    ::fill { line-color: #fc8; line-width: 3; line-cap: round; [lanes = 1] { line-width: 1.5; line-dasharray: 4, 3; } }
  }`,
  land: `#land {
    line-color: #686; line-width: 1;
    polygon-fill: #eee; [kind = 'wood'] { polygon-fill: #bcd8b0; } [kind = 'field'] { polygon-fill: #f0e6b8; } [kind = 'town'] { polygon-fill: #d8ccc8; }
  }`,
};

export type SceneLayer = keyof typeof styles;
/** From the top of the tree down. */
export const sceneLayers = Object.keys(styles) as SceneLayer[];

/** Creates the map `scene` through the interface. Returns the ids of its layers. */
export async function makeScene({ admin }: TestServer): Promise<Record<SceneLayer, number>> {
  await admin('POST', '/', { code: 'scene', css_style: 'Map { background-color: #d0e2ec; }' });
  const ids = {} as Record<SceneLayer, number>;
  for (const [i, code] of sceneLayers.entries()) {
    ids[code] = (await admin('POST', '/scene/layers/', { code, sort: i + 1 })).id;
  }
  for (const [code, features] of Object.entries({ land, roads })) {
    await admin('POST', `/scene/layers/${code}/import/`, { type: 'FeatureCollection', features });
  }
  const structure = '/scene/layers/places/structure/';
  await admin('POST', structure, { code: 'name', type: 'string', localized_value: true });
  await admin('POST', structure, { code: 'people', type: 'number' });
  for (const { en, ru, people, at } of places) {
    const body = { fields: { name: en, people }, geom: { type: 'Point', coordinates: at } };
    const { id } = await admin('POST', '/scene/layers/places/objects/?lng=en', body);
    await admin('PUT', `/scene/layers/places/objects/${id}/?lng=ru`, { fields: { name: ru } });
  }
  for (const code of sceneLayers) {
    await admin('PATCH', `/scene/layers/${code}/`, { css_style: styles[code] });
  }
  return ids;
}

/** Requests a tile of a map of the project `demo`; `y` counts from the south. */
export function tile(
  { request }: TestServer,
  map: string,
  [z, x, y]: readonly [number, number, number],
  query = '',
  options: Parameters<TestServer['request']>[2] = {},
): Promise<TestAnswer> {
  return request('GET', `//tms/demo/${map}/?z=${z}&x=${x}&y=${y}${query && `&${query}`}`, options);
}

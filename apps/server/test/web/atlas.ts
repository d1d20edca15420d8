import type { Geometry } from 'geojson';
import type { TestServer } from '../support/server.js';

/** A text with a script that must not run. */
export const hostile = '<img src=x onerror="window.hacked=1">';

type Names = { en: string; ru: string };

interface TestColumn {
  code: string;
  type: string;
  name: Names;
  localized_value?: boolean;
}

interface TestObject {
  fields: Record<string, unknown>;
  /** Values of the localized columns in Russian. */
  ru: Record<string, unknown>;
  geom: Geometry;
}

interface TestLayer {
  code: string;
  name: Names;
  css: string;
  columns: TestColumn[];
  objects: TestObject[];
}

const name: TestColumn = {
  code: 'name',
  type: 'string',
  name: { en: 'Name', ru: 'Название' },
  localized_value: true,
};

const square = (south: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [0, south],
      [20, south],
      [20, south + 20],
      [0, south + 20],
      [0, south],
    ],
  ],
});

const town = (en: string, ru: string, coordinates: [number, number]): TestObject => ({
  fields: { name: en },
  ru: { name: ru },
  geom: { type: 'Point', coordinates },
});

/** Two adjacent lands and three towns, two of them at the centre of the northern land. */
export const layers: TestLayer[] = [
  {
    code: 'towns',
    name: { en: 'Towns', ru: 'Города' },
    css: '#towns { marker-width: 14; marker-fill: #b5482a; marker-allow-overlap: true; }',
    columns: [name],
    objects: [
      town('Middleton', 'Мидлтон', [10, 50]),
      town('Middleton Station', 'Мидлтон-станция', [10, 50]),
      town('Southport', 'Саутпорт', [5, 30]),
    ],
  },
  {
    code: 'lands',
    name: { en: 'Lands', ru: 'Земли' },
    css: '#lands { polygon-fill: #cfe3d0; line-color: #557755; line-width: 2; }',
    columns: [
      name,
      { code: 'population', type: 'number', name: { en: 'Population', ru: 'Население' } },
      { code: 'founded', type: 'datetime', name: { en: 'Founded', ru: 'Основана' } },
      { code: 'open', type: 'bool', name: { en: 'Open', ru: 'Открыта' } },
      { code: 'site', type: 'string', name: { en: 'Site', ru: 'Сайт' } },
      { code: 'note', type: 'text', name: { en: 'Note', ru: 'Заметка' } },
      { code: 'blank', type: 'string', name: { en: 'Blank', ru: 'Пусто' } },
    ],
    objects: [
      {
        fields: {
          name: 'North',
          population: 1_234_567,
          founded: '1922-03-01T00:00:00Z',
          open: true,
          site: 'https://example.org/north',
          note: hostile,
        },
        ru: { name: 'Север' },
        geom: square(40),
      },
      { fields: { name: 'South', population: 2024 }, ru: { name: 'Юг' }, geom: square(20) },
    ],
  },
];

/** Creates the map `atlas` with content in English and Russian. */
export async function makeAtlas({ admin }: TestServer): Promise<void> {
  const locales = [
    { code: 'en', name: 'English' },
    { code: 'ru', name: 'Русский' },
  ];
  await admin('POST', '/', { code: 'atlas', name: 'Atlas', css_style: 'Map { background-color: #d9e8ef; }' });
  await admin('PATCH', '/atlas/', { locales, json: { attribution: 'Made for a test' } });
  for (const [i, layer] of layers.entries()) await makeLayer(admin, layer, i + 1);
}

async function makeLayer(admin: TestServer['admin'], layer: TestLayer, sort: number): Promise<void> {
  const { code, css: css_style } = layer;
  await admin('POST', '/atlas/layers/', { code, css_style, sort, localized_name: true, name: layer.name });
  const path = `/atlas/layers/${code}`;
  for (const column of layer.columns) {
    await admin('POST', `${path}/structure/`, { ...column, localized_name: true });
  }
  for (const { fields, ru, geom } of layer.objects) {
    const { id } = await admin<{ id: number }>('POST', `${path}/objects/?lng=en`, { fields, geom });
    await admin('PUT', `${path}/objects/${id}/?lng=ru`, { fields: ru });
  }
}

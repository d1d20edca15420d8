import type { Caller } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { createMap } from '../containers/maps.js';
import type { Services } from '../http/service.js';
import { changeLayer, createLayer, type LayerInput } from '../layers/edit.js';
import { findLayer, type Layer } from '../layers/layers.js';
import { fillLayer } from './fill.js';

type Name = { en: string; ru: string };

interface VisualMap {
  code: string;
  name: Name;
  /** What is drawn: a name of `data.ts`. */
  data: 'areas' | 'large-cities' | 'many-cities';
  settings: Record<string, unknown>;
  /** Of a custom visualization: the plugin, and the column that its settings name. */
  plugin?: { name: string; column: string };
}

const sizes = [
  { code: 'towns', color: '#fee08b', label: 'Below 100,000' },
  { code: 'cities', color: '#f46d43', label: '100,000 to 1 million' },
  { code: 'great', color: '#a50026', label: 'Above 1 million' },
];
const title = (en: string, ru: string) => ({ legendNames: [{ en }, { ru }] });
const peopleBySize = title('People by size of their city', 'Жители по размеру города');
const people = title('Inhabitants', 'Жители');

/** A map for each kind of visualization. */
const maps: readonly VisualMap[] = [
  {
    code: 'density',
    name: { en: 'City people by area', ru: 'Горожане на площадь' },
    data: 'areas',
    settings: {
      type: 1,
      columnCode: 'density',
      algorithm: 2,
      classesCount: 6,
      ...title('City people per km²', 'Горожан на км²'),
    },
  },
  {
    code: 'cities_by_country',
    name: { en: 'Large cities by country', ru: 'Крупные города по странам' },
    data: 'large-cities',
    settings: {
      type: 2,
      columnCode: 'country',
      classesCount: 10,
      pointSettings: { sizeEnabled: true, size: 6 },
      ...title('Country', 'Страна'),
    },
  },
  {
    code: 'city_sizes',
    name: { en: 'Sizes of cities', ru: 'Размеры городов' },
    data: 'large-cities',
    settings: {
      type: 3,
      columnCode: 'population',
      classesSettings: { pointSizeMin: 2, pointSizeMax: 36, opacity: 0.6 },
      ...people,
    },
  },
  {
    code: 'city_shares',
    name: { en: 'Who lives where: pies', ru: 'Кто где живёт: круги' },
    data: 'areas',
    settings: {
      type: 4,
      classesSettings: { columns: sizes, sizeType: 2, sizeFrom: 14, sizeTo: 70, allowOverlap: false },
      ...peopleBySize,
    },
  },
  {
    code: 'city_bars',
    name: { en: 'Who lives where: bars', ru: 'Кто где живёт: столбцы' },
    data: 'areas',
    settings: {
      type: 5,
      classesSettings: {
        columns: sizes,
        sizeType: 2,
        sizeFrom: 24,
        sizeTo: 60,
        allowOverlap: false,
        showScale: true,
      },
      ...peopleBySize,
    },
  },
  {
    code: 'city_lines',
    name: { en: 'Who lives where: lines', ru: 'Кто где живёт: линии' },
    data: 'areas',
    settings: {
      type: 6,
      classesSettings: {
        columns: sizes,
        sizeType: 2,
        sizeFrom: 24,
        sizeTo: 60,
        allowOverlap: false,
        showScale: true,
      },
      ...peopleBySize,
    },
  },
  {
    code: 'city_heat',
    name: { en: 'Where cities crowd', ru: 'Где теснятся города' },
    data: 'large-cities',
    settings: { type: 7, classesSettings: { markerSize: 24 }, ...title('Density', 'Плотность') },
  },
  {
    code: 'city_hexagons',
    name: { en: 'City people in hexagons', ru: 'Горожане в шестиугольниках' },
    data: 'many-cities',
    plugin: { name: 'hexbin', column: 'population' },
    settings: { zoom: 3, cellSize: 22, aggregate: 'sum', showValues: true, ...people },
  },
];

export const visualMapCodes: readonly string[] = maps.map(({ code }) => code);

const ground = '#ground { polygon-fill: #f4f1ea; line-color: #c9c2b4; line-width: 0.6; line-join: round; }';

/** Makes the maps of visualizations: each has its countries as ground and its own layer above. */
export async function loadVisualMaps(services: Services, caller: Caller, signal: AbortSignal): Promise<void> {
  for (const map of maps) {
    await services.db.transaction((tx) =>
      createMap(tx, caller, {
        code: map.code,
        localized_name: true,
        name: { ...map.name },
        css_style: 'Map { background-color: #d6e2e8; }',
        json: { attribution: 'Natural Earth; GeoNames (CC BY 4.0)' },
      }),
    );
    await loadVisualLayer(services, { caller, map }, signal);
    await loadGround(services, { caller, map }, signal);
  }
}

interface Place {
  caller: Caller;
  map: VisualMap;
}

async function loadVisualLayer(
  services: Services,
  { caller, map }: Place,
  signal: AbortSignal,
): Promise<void> {
  const layer = await newLayer(services, { caller, map }, 'shown', map.name);
  await fillLayer(services, { caller, layer, data: map.data }, { signal });
  const filled = await findLayer(services.db, caller, { map: map.code, layer: 'shown' }, 'edit');
  await services.db.transaction((tx) => changeLayer(tx, caller, filled, visualOf(map, filled)));
}

/** What a column of the layer is called in the settings of a plugin. */
const reference = '7d0b6b5e-8f1c-4a53-9f0e-3c1d8a2b4e60';

function visualOf({ settings, plugin }: VisualMap, { columns }: Pick<Layer, 'columns'>): LayerInput {
  if (!plugin) return { visualSettings: settings };
  const { id } = columns.find(({ code }) => code === plugin.column)!;
  return {
    visualCustomSettings: {
      type: plugin.name,
      columns: { [reference]: id },
      settings: { ...settings, column: reference },
    },
  };
}

async function loadGround(services: Services, { caller, map }: Place, signal: AbortSignal): Promise<void> {
  const layer = await newLayer(services, { caller, map }, 'ground', { en: 'Countries', ru: 'Страны' });
  await fillLayer(services, { caller, layer, data: 'areas' }, { signal });
  await services.db.transaction((tx) => changeLayer(tx, caller, layer, { css_style: ground }));
}

async function newLayer({ db }: Services, { caller, map }: Place, code: string, name: Name) {
  const at = await findMap(db, caller, map.code, 'edit');
  await db.transaction((tx) =>
    createLayer(tx, caller, at, { code, localized_name: true, name: { ...name } }),
  );
  return findLayer(db, caller, { map: map.code, layer: code }, 'edit');
}

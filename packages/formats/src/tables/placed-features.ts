import { ServiceError } from '@cartulary/errors';
import { edgeTolerance } from '@cartulary/geo';
import type { RawFeature } from '../raw-feature.js';
import { coordinateAlong } from './coordinate-text.js';
import { type GeometryPlan, geometryPlan, placesOf } from './geometry-columns.js';
import type { TableCell } from './header.js';
import { type Geometries, type GeometryListeners, geometriesBy, geometryOfRow } from './row-geometry.js';
import type { TableInfo, TableRules } from './rules.js';
import { sampleRows } from './table.js';

interface PlacingOptions extends GeometryListeners {
  /** Whether a column of the layer stores a property of this name. */
  isColumn(name: string): boolean;
  /** Receives the columns that hold the geometries. */
  understood(info: TableInfo): void;
}

interface Placing {
  names: readonly string[];
  geometries: Geometries;
  /** Columns that are no properties. */
  leftOut: readonly string[];
}

/** Gives features without geometries those that their columns hold, as in tables of text. */
export interface Placer {
  /** Takes the next features; returns none until the columns are known. */
  take(features: readonly RawFeature[]): RawFeature[];
  end(): RawFeature[];
  /** The projection that the geometries declare; undefined: none. */
  srs(): string | undefined;
}

export function createPlacer(options: PlacingOptions): Placer {
  let held: RawFeature[] = [];
  let placing: Placing | undefined;
  let number = 0;
  const place = (feature: RawFeature): RawFeature => {
    number = feature.number;
    return feature.error ? feature : placed(feature, placing!);
  };
  const begin = (): RawFeature[] => {
    placing = placingOf(held, options, () => number);
    const features = held.map(place);
    held = [];
    return features;
  };
  return {
    take(features) {
      if (placing) return features.map(place);
      held.push(...features);
      return held.length >= sampleRows ? begin() : [];
    },
    end: () => (placing ? [] : begin()),
    srs: () => placing?.geometries.srs,
  };
}

function placingOf(features: readonly RawFeature[], options: PlacingOptions, row: () => number): Placing {
  const sound = features.filter(({ error }) => !error);
  const names = Object.keys(sound[0]?.properties ?? {});
  const rows = sound.map((feature) => cellsOf(feature, names));
  const { rules, srsIsGiven } = options;
  const found: GeometryPlan = sound.length ? geometryPlan({ names, rows, rules }) : { kind: 'none' };
  const plan: GeometryPlan = isSure(found, rows, rules) || srsIsGiven ? found : { kind: 'none' };
  const columns = placesOf(plan).map((column) => names[column]!);
  if (columns.length) options.understood({ header: true, decimal: rules.decimal ?? null, geometry: columns });
  const leftOut = columns.filter((name) => !options.isColumn(name));
  return { names, geometries: geometriesBy(plan, options, row), leftOut };
}

/** Whether numbers that nobody has called coordinates can be degrees: a plan, or a picture, has columns x and y too. */
function isSure(plan: GeometryPlan, rows: readonly (readonly TableCell[])[], rules: TableRules): boolean {
  if (plan.kind !== 'xy' || rules.x !== undefined) return true;
  const isWithin = (row: readonly TableCell[], axis: 'x' | 'y', most: number): boolean => {
    const cell = row[plan[axis]];
    if (cell === null || cell === undefined || cell === '') return true;
    if (typeof cell === 'boolean') return false;
    try {
      return Math.abs(coordinateAlong(axis, cell, rules.decimal)) <= most + edgeTolerance;
    } catch {
      return false;
    }
  };
  return rows.every((row) => isWithin(row, 'x', 180) && isWithin(row, 'y', 90));
}

const cellsOf = ({ properties }: RawFeature, names: readonly string[]): TableCell[] =>
  names.map((name) => {
    const value = properties[name];
    return typeof value === 'string' || typeof value === 'number' ? value : null;
  });

function placed(feature: RawFeature, { names, geometries, leftOut }: Placing): RawFeature {
  if (geometries.plan.kind === 'none') return feature;
  try {
    const geometry = geometryOfRow(geometries, cellsOf(feature, names));
    for (const name of leftOut) delete feature.properties[name];
    return { ...feature, ...geometry };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...feature, error };
  }
}

import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import type { RawFeature } from '../raw-feature.js';
import type { Remarker } from '../reading/summary.js';
import { coordinateAlong, isNoValue, pairOf } from './coordinate-text.js';
import type { GeometryPlan } from './geometry-columns.js';
import { nextGeometry, type TextGeometries } from './geometry-text.js';
import type { TableCell } from './header.js';
import { type ReadyGeometry, readyGeometry } from './ready-geometry.js';
import type { Decimal, TableRules } from './rules.js';

/** The columns that contain the geometries of a table. */
export interface Geometries extends TextGeometries {
  readonly plan: GeometryPlan;
  /** The given decimal separator. */
  readonly decimal: Decimal | undefined;
  /** Receives a place that the row says not to have. */
  nowhere(): null;
}

/** What the geometries of a table need of its reader. */
export interface GeometryListeners {
  rules: TableRules;
  /** Whether a projection is given, which takes precedence over that of the geometries. */
  srsIsGiven: boolean;
  remark: Remarker;
  note(text: string): void;
}

/** Made once: each position of a table may have a measure. */
const measuresLeftOut = noteOf('measuresOfShapes');

/** Begins to read the geometries of a table. `row` tells the number of the row that is read. */
export const geometriesBy = (
  plan: GeometryPlan,
  { rules, srsIsGiven, remark, note }: GeometryListeners,
  row: () => number,
): Geometries => ({
  plan,
  decimal: rules.decimal,
  srsIsGiven,
  arc: () => note(noteOf('arcsAsLines')),
  measure: () => note(measuresLeftOut),
  nowhere() {
    remark(noteOf('pointWithoutNumbers'), noteOf('withoutGeometry'), row());
    return null;
  },
  srs: undefined,
});

/** Reads the geometry of a row. Throws `value_invalid`. */
export function geometryOfRow(
  geometries: Geometries,
  cells: readonly TableCell[],
): Pick<RawFeature, 'geometry' | 'ready'> {
  const ready = readyOf(geometries, cells);
  return ready ? { geometry: null, ready } : { geometry: geometryOf(geometries, cells) };
}

/** Reads the geometry of a row that is longitude and latitude in usual well-known text. */
function readyOf(geometries: Geometries, cells: readonly TableCell[]): ReadyGeometry | undefined {
  const { plan, srsIsGiven, srs } = geometries;
  if (plan.kind !== 'text' || srsIsGiven || (srs ?? wgs84) !== wgs84) return undefined;
  const cell = cells[plan.column];
  const ready = typeof cell === 'string' ? readyGeometry(cell) : undefined;
  if (ready) geometries.srs = wgs84;
  return ready;
}

const textOf = (cell: TableCell | undefined): string =>
  typeof cell === 'string' ? cell.trim() : cell === null || cell === undefined ? '' : String(cell);

const coordinateCell = (cell: TableCell | undefined): string | number =>
  typeof cell === 'number' ? cell : textOf(cell);

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

function geometryOf(geometries: Geometries, cells: readonly TableCell[]): unknown {
  const { plan, decimal } = geometries;
  if (plan.kind === 'none') return null;
  if (plan.kind === 'xy') {
    const [x, y] = [coordinateCell(cells[plan.x]), coordinateCell(cells[plan.y])];
    if (x === '' && y === '') return null;
    if (isNoValue(x) && isNoValue(y)) return geometries.nowhere();
    if (x === '' || y === '') throw wrong(noteOf('coordinateMissing'));
    return {
      type: 'Point',
      coordinates: [coordinateAlong('x', x, decimal), coordinateAlong('y', y, decimal)],
    };
  }
  const text = textOf(cells[plan.column]);
  if (!text) return null;
  if (isNoValue(text)) return geometries.nowhere();
  return plan.kind === 'pair' ? ofPair(text, plan.order, decimal) : nextGeometry(geometries, text);
}

function ofPair(text: string, order: 'xy' | 'yx', decimal: Decimal | undefined): unknown {
  const pair = pairOf(text, decimal);
  if (!pair) throw wrong(noteOf('noCoordinatePair', { text: text.slice(0, 50) }));
  const [first, second] = pair;
  if (first.axis && first.axis === second.axis)
    throw wrong(noteOf('coordinateTwice', { text: text.slice(0, 50) }));
  const isXFirst = first.axis ? first.axis === 'x' : second.axis ? second.axis === 'y' : order === 'xy';
  const coordinates = isXFirst ? [first.value, second.value] : [second.value, first.value];
  return { type: 'Point', coordinates };
}

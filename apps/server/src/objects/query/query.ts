import {
  type AcceptedValue,
  acceptValue,
  type Column,
  hasValues,
  type Output,
  valueColumns,
} from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { type Box, boxesOf, parseBox } from '@cartulary/geo';
import type { TextOutput } from '../sql/object-json.js';
import { type ListCursor, readCursor } from './cursor.js';
import { isComparable } from './families.js';
import { type Filter, parseFilter } from './filter.js';
import type { Sort } from './order.js';
import {
  flagOf,
  numberIn,
  oneOf,
  type Parameters,
  parameterInvalid,
  srOf,
  textParameter,
  wholeNumber,
} from './parameters.js';

/** The selection of a list, checked against the layer's columns. */
export interface ObjectQuery extends TextOutput {
  /** The column has one of the values. */
  equals?: { column: Column; values: readonly AcceptedValue[] } | undefined;
  /** The geometry intersects one of the boxes, degrees of EPSG:4326. */
  boxes?: readonly Box[] | undefined;
  filter?: Filter | undefined;
  /** Objects with equal sort values are ordered by `svc_id`. */
  sort: readonly Sort[];
  limit: number;
  offset: number;
  /** The list continues behind this position of the `sort` order. */
  cursor?: ListCursor | undefined;
  /** Whether the answer needs a cursor where more objects follow. */
  tellsNext?: boolean;
  /** Whether the service set or lowered the limit. Then the answer states how many objects are left out. */
  isLimited?: boolean;
  /**
   * An index has the order of the list; the layer has about `objects` objects. `isEnough`: the order can be read from the
   * index alone.
   */
  indexed?: { objects: number; isEnough: boolean } | undefined;
}

export interface ListLimits {
  listDefault: number;
  listLimit: number;
  listOffset: number;
  /** How a door calls the parameter `sort`, for its errors. */
  sortName?: string;
  /** How a door without cursors calls the parameter `offset`. */
  offsetName?: string;
}

/** Parses the parameters. Throws 400 with the name of the parameter, or `filter_column_not_selected`. */
export function parseListQuery(
  parameters: Parameters,
  layer: { columns: readonly Column[] },
  main: string,
  limits: ListLimits,
): ObjectQuery {
  const codes = [...new Set(listOf(parameters.fields, 'fields'))];
  const output = parseOutput(parameters, main);
  const selected = codes.flatMap((code) =>
    code === '*' ? valueColumns(layer.columns) : columnOf(layer, code, 'fields'),
  );
  const sort = parseSort(parameters, layer, limits.sortName);
  const cursor = textParameter(parameters, 'cursor');
  const offset = parseOffset(parameters, limits);
  const asked = wholeNumber(parameters, 'limit');
  const limit = Math.min(asked ?? limits.listDefault, limits.listLimit);
  const isOffsetGiven = ![undefined, null, ''].includes(parameters.offset as undefined);
  if (cursor !== undefined && offset > 0)
    throw parameterInvalid('cursor', 'does not go together with offset');
  const isGeomAsked = selected.some(({ type }) => type === 'geom');
  return {
    equals: parseEquals(parameters, layer, codes),
    boxes: parseBoxes(parameters),
    filter: parameters.filter === undefined ? undefined : parseFilter(parameters.filter, layer.columns),
    sort,
    limit,
    offset,
    cursor: cursor === undefined ? undefined : readCursor(cursor, sort),
    tellsNext: cursor !== undefined || !isOffsetGiven || offset + limit > limits.listOffset,
    isLimited: asked === undefined || asked >= limits.listLimit,
    ...output,
    columns: [...new Set(selected)].filter(hasValues),
    geometry:
      output.geometry ??
      (isGeomAsked ? parseOutput({ ...parameters, returnGeom: '1' }, main).geometry : undefined),
  };
}

/** Parses the parameters of the output form. The caller sets `columns`. */
export function parseOutput(parameters: Parameters, main: string): Output {
  const zoom = numberIn(parameters, 'geomZoom', 0, 24);
  const [geomSR, bboxSR] = [srOf(parameters, 'geomSR'), srOf(parameters, 'bboxSR')];
  const centroid = flagOf(parameters, 'returnCentroid');
  const geometry = { sr: geomSR, centroid, ...(zoom === undefined ? {} : { zoom }) };
  return {
    columns: [],
    main,
    // An empty text is no language: the main one, as in a query.
    lng: textParameter(parameters, 'lng') || undefined,
    display: oneOf(parameters, 'f', ['json', 'fjson']) === 'fjson',
    bbox: flagOf(parameters, 'returnBbox') ? bboxSR : undefined,
    geometry: flagOf(parameters, 'returnGeom') ? geometry : undefined,
  };
}

/** Most values of `fval`, and most codes of `fields`. */
const valueLimit = 10_000;

/** Throws 400 for a code that no column of the layer has. */
export function columnOf(layer: { columns: readonly Column[] }, code: string, parameter: string): Column {
  const column = layer.columns.find((candidate) => candidate.code === code);
  if (!column) {
    throw badRequest(`${parameter}: the layer has no column '${code}'`, {
      parameters: [parameter],
      columns: [code],
    });
  }
  return column;
}

/** Skipped objects are read all the same, so the offset has a limit; a cursor has none. */
function parseOffset(parameters: Parameters, { listOffset, offsetName = 'offset' }: ListLimits): number {
  const offset = wholeNumber(parameters, 'offset') ?? 0;
  if (offset <= listOffset) return offset;
  const way = offsetName === 'offset' ? '; a list goes on behind that with cursor' : '';
  throw badRequest(`${offsetName}: must be at most ${listOffset}${way}`, {
    parameters: [offsetName],
    limit: listOffset,
  });
}

/** `a,b` or `["a", "b"]`. */
function listOf(value: unknown, name: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (Array.isArray(parts) && parts.length > valueLimit)
    throw parameterInvalid(name, `has more than ${valueLimit} codes`);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) {
    throw parameterInvalid(name, 'must be column codes separated by commas');
  }
  return parts.map((part) => part.trim());
}

function parseEquals(
  parameters: Parameters,
  layer: { columns: readonly Column[] },
  codes: readonly string[],
): ObjectQuery['equals'] {
  const code = textParameter(parameters, 'fcode');
  if (code === undefined || code === '') return undefined;
  const isSelected = codes.includes(code) || codes.includes('*');
  const known = layer.columns.find((candidate) => candidate.code === code);
  if (!isSelected) {
    // An unknown code is not repeated in the answer: error pages escape HTML, JSON does not.
    throw new ServiceError('filter_column_not_selected', undefined, known ? { columns: [code] } : {});
  }
  const column = columnOf(layer, code, 'fcode');
  if (!isComparable(column)) {
    throw parameterInvalid('fcode', `values of a column of type ${column.type} are not compared`);
  }
  const { fval } = parameters;
  if (fval === undefined || fval === null) throw parameterInvalid('fval', 'is needed beside fcode');
  if (typeof fval === 'object')
    throw parameterInvalid('fval', 'must be a value, or several separated by a vertical bar');
  const texts = typeof fval === 'string' ? fval.split('|') : [fval];
  if (texts.length > valueLimit) throw parameterInvalid('fval', `has more than ${valueLimit} values`);
  return { column, values: texts.flatMap((text) => comparable(column, text)) };
}

/** The typed value for the comparison; none where the column cannot hold the value. */
function comparable(column: Column, value: unknown): AcceptedValue[] {
  if (column.type === 'file') return [String(value)];
  try {
    return [
      acceptValue(
        column,
        typeof value === 'number' && /^(string|text)$/.test(column.type) ? String(value) : value,
      ),
    ];
  } catch {
    return [];
  }
}

function parseBoxes(parameters: Parameters): Box[] | undefined {
  const { fbbox } = parameters;
  if (fbbox === undefined || fbbox === null || fbbox === '') return undefined;
  if (typeof fbbox !== 'string' && !Array.isArray(fbbox))
    throw parameterInvalid('fbbox', 'must be SW_LAT,SW_LON,NE_LAT,NE_LON');
  return boxesOf(parseBox(fbbox), srOf(parameters, 'bboxSR'));
}

/** Parses `pop,d|name`: columns separated by bars, each with its direction a (ascending) or d (descending). */
function parseSort(parameters: Parameters, layer: { columns: readonly Column[] }, name = 'sort'): Sort[] {
  const text = textParameter(parameters, 'sort');
  if (text === undefined || text === '') return [];
  const parts = text.split('|');
  if (parts.length > layer.columns.length) throw parameterInvalid(name, 'a column occurs twice');
  const sorts = parts.map((part): Sort => {
    const [code, direction = 'a', more] = part.split(',').map((word) => word.trim());
    if (more !== undefined || (direction !== 'a' && direction !== 'd')) {
      throw parameterInvalid(name, `'${part}' is not a column code, a comma, and a or d`);
    }
    const column = columnOf(layer, code!, name);
    if (!isComparable(column)) {
      throw parameterInvalid(name, `a column of type ${column.type} has no order`);
    }
    return { column, descending: direction === 'd' };
  });
  if (new Set(sorts.map(({ column }) => column)).size < sorts.length)
    throw parameterInvalid(name, 'a column occurs twice');
  return sorts;
}

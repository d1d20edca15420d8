import { badRequest, ServiceError } from '../errors.js';
import { type Box, boxesOf, parseBox, type SR } from '../geo/bbox.js';
import type { Column } from '../layers/layers.js';
import { type AcceptedValue, acceptValue } from '../layers/types.js';
import { isComparable } from './comparisons.js';
import { type Cursor, readCursor } from './cursor.js';
import { type Filter, parseFilter } from './filter.js';

/** In which languages values are read: the asked one, else the main one, else any. */
export interface Languages {
  lng?: string | undefined;
  main: string;
}

/** What of an object is returned, and how. */
export interface Output extends Languages {
  /** The columns whose values are returned, in order. */
  columns: readonly Column[];
  geometry?: { sr: SR; zoom?: number; centroid: boolean; form?: 'wkt' | undefined } | undefined;
  bbox?: SR | undefined;
  /** Values as they are shown (f=fjson). */
  display: boolean;
}

export interface Sort {
  column: Column;
  descending: boolean;
}

/** The selection of a list; everything in it is checked against the layer's columns. */
export interface ObjectQuery extends Output {
  /** The column has one of the values. */
  equals?: { column: Column; values: readonly AcceptedValue[] } | undefined;
  /** The geometry meets one of the boxes, degrees of EPSG:4326. */
  boxes?: readonly Box[] | undefined;
  filter?: Filter | undefined;
  /** What is not sorted so is ordered by `svc_id`. */
  sort: readonly Sort[];
  limit: number;
  offset: number;
  /** The list goes on behind it, by the order of `sort`. */
  cursor?: Cursor | undefined;
  /** Whether a cursor is wanted where the list goes on. */
  tellsNext?: boolean;
  /** There is an index in the order of the list, over a layer of about so many objects; `isEnough`: for their order the table need not be read. */
  indexed?: { objects: number; isEnough: boolean } | undefined;
}

/** The parameters of a list as they come: texts from a query or form, JSON values from a JSON body. */
export type Parameters = Record<string, unknown>;

export interface QueryLimits {
  listDefault: number;
  listLimit: number;
  listOffset: number;
}

/** The columns that `*` and the single object show: those of the user that hold values. `svc_id` is `id` already. */
export const valueColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(({ code, type }) => code !== 'svc_id' && type !== 'geom' && type !== 'title');

/** Parameters → selection. Throws 400 that names the parameter, or `filter_column_not_selected`. */
export function parseListQuery(
  parameters: Parameters,
  layer: { columns: readonly Column[] },
  main: string,
  limits: QueryLimits,
): ObjectQuery {
  const codes = [...new Set(listOf(parameters.fields, 'fields'))];
  const output = parseOutput(parameters, main);
  const selected = codes.flatMap((code) =>
    code === '*' ? valueColumns(layer.columns) : columnOf(layer, code, 'fields'),
  );
  const sort = parseSort(parameters, layer);
  const cursor = textOf(parameters, 'cursor');
  const offset = parseOffset(parameters, limits);
  const limit = Math.min(wholeNumber(parameters, 'limit') ?? limits.listDefault, limits.listLimit);
  if (cursor !== undefined && offset > 0) throw wrong('cursor', 'does not go together with offset');
  const isGeomAsked = selected.some(({ type }) => type === 'geom');
  return {
    equals: parseEquals(parameters, layer, codes),
    boxes: parseBoxes(parameters),
    filter:
      parameters.filter === undefined ? undefined : parseFilter(jsonOf(parameters.filter), layer.columns),
    sort,
    limit,
    offset,
    cursor: cursor === undefined ? undefined : readCursor(cursor, sort),
    tellsNext: cursor !== undefined || offset + limit > limits.listOffset,
    ...output,
    columns: [...new Set(selected)].filter(({ type }) => type !== 'geom' && type !== 'title'),
    geometry:
      output.geometry ??
      (isGeomAsked ? parseOutput({ ...parameters, returnGeom: '1' }, main).geometry : undefined),
  };
}

/** The parameters that say how an object is returned; `columns` is left to the caller. */
export function parseOutput(parameters: Parameters, main: string): Output {
  const zoom = numberIn(parameters, 'geomZoom', 0, 24);
  const [geomSR, bboxSR] = [srOf(parameters, 'geomSR'), srOf(parameters, 'bboxSR')];
  const centroid = flag(parameters, 'returnCentroid');
  const geometry = { sr: geomSR, centroid, ...(zoom === undefined ? {} : { zoom }) };
  return {
    columns: [],
    main,
    lng: textOf(parameters, 'lng'),
    display: oneOf(parameters, 'f', ['json', 'fjson']) === 'fjson',
    bbox: flag(parameters, 'returnBbox') ? bboxSR : undefined,
    geometry: flag(parameters, 'returnGeom') ? geometry : undefined,
  };
}

/** Most values of `fval`, and codes of `fields`. */
const valueLimit = 10_000;

const wrong = (name: string, why: string): ServiceError =>
  badRequest(`${name}: ${why}`, { parameters: [name] });

function columnOf(layer: { columns: readonly Column[] }, code: string, parameter: string): Column {
  const column = layer.columns.find((candidate) => candidate.code === code);
  if (!column) {
    throw badRequest(`${parameter}: the layer has no column '${code}'`, {
      parameters: [parameter],
      columns: [code],
    });
  }
  return column;
}

/** What an offset leaves out is read all the same, so that it has a limit; a cursor has none. */
function parseOffset(parameters: Parameters, { listOffset }: QueryLimits): number {
  const offset = wholeNumber(parameters, 'offset') ?? 0;
  if (offset <= listOffset) return offset;
  throw badRequest(`offset: must be at most ${listOffset}; a list goes on behind that with cursor`, {
    parameters: ['offset'],
    limit: listOffset,
  });
}

/** `a,b` or `["a", "b"]`. */
function listOf(value: unknown, name: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  const parts = typeof value === 'string' ? value.split(',') : value;
  if (Array.isArray(parts) && parts.length > valueLimit)
    throw wrong(name, `has more than ${valueLimit} codes`);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) {
    throw wrong(name, 'must be column codes separated by commas');
  }
  return parts.map((part) => part.trim());
}

function parseEquals(
  parameters: Parameters,
  layer: { columns: readonly Column[] },
  codes: readonly string[],
): ObjectQuery['equals'] {
  const code = textOf(parameters, 'fcode');
  if (code === undefined || code === '') return undefined;
  const isSelected = codes.includes(code) || codes.includes('*');
  const known = layer.columns.find((candidate) => candidate.code === code);
  if (!isSelected) {
    // What is no column is not repeated: unlike an error page, JSON is not escaped for HTML.
    throw new ServiceError('filter_column_not_selected', undefined, known ? { columns: [code] } : {});
  }
  const column = columnOf(layer, code, 'fcode');
  if (!isComparable(column)) {
    throw wrong('fcode', `values of a column of type ${column.type} are not compared`);
  }
  const { fval } = parameters;
  if (fval === undefined || fval === null) throw wrong('fval', 'is needed beside fcode');
  if (typeof fval === 'object')
    throw wrong('fval', 'must be a value, or several separated by a vertical bar');
  const texts = typeof fval === 'string' ? fval.split('|') : [fval];
  if (texts.length > valueLimit) throw wrong('fval', `has more than ${valueLimit} values`);
  return { column, values: texts.flatMap((text) => comparable(column, text)) };
}

/** A value that the column cannot hold equals none of its values. */
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
    throw wrong('fbbox', 'must be SW_LAT,SW_LON,NE_LAT,NE_LON');
  return boxesOf(parseBox(fbbox), srOf(parameters, 'bboxSR'));
}

/** `pop,d|name`: columns separated by bars, each with its direction a (ascending) or d. */
function parseSort(parameters: Parameters, layer: { columns: readonly Column[] }): Sort[] {
  const text = textOf(parameters, 'sort');
  if (text === undefined || text === '') return [];
  const parts = text.split('|');
  if (parts.length > layer.columns.length) throw wrong('sort', 'a column occurs twice');
  const sorts = parts.map((part): Sort => {
    const [code, direction = 'a', more] = part.split(',').map((word) => word.trim());
    if (more !== undefined || (direction !== 'a' && direction !== 'd')) {
      throw wrong('sort', `'${part}' is not a column code, a comma, and a or d`);
    }
    const column = columnOf(layer, code!, 'sort');
    if (!isComparable(column)) {
      throw wrong('sort', `a column of type ${column.type} has no order`);
    }
    return { column, descending: direction === 'd' };
  });
  if (new Set(sorts.map(({ column }) => column)).size < sorts.length)
    throw wrong('sort', 'a column occurs twice');
  return sorts;
}

function textOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrong(name, 'must be a text');
  return value;
}

function numberIn(parameters: Parameters, name: string, min: number, max: number): number | undefined {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= min && number <= max)) {
    throw wrong(name, `must be a number from ${min} to ${max}`);
  }
  return number;
}

function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const number = numberIn(parameters, name, 0, Number.MAX_SAFE_INTEGER);
  if (number !== undefined && !Number.isInteger(number)) throw wrong(name, 'must be a whole number');
  return number;
}

function oneOf<T extends string>(parameters: Parameters, name: string, allowed: readonly T[]): T | undefined {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (!allowed.includes(text as T)) throw wrong(name, `must be one of ${allowed.join(', ')}`);
  return text as T;
}

const flag = (parameters: Parameters, name: string): boolean =>
  ['1', 'true'].includes(oneOf(parameters, name, ['0', '1', 'true', 'false']) ?? '0');

const srOf = (parameters: Parameters, name: string): SR =>
  oneOf(parameters, name, ['4326', '3857']) ?? '4326';

/** A form carries the filter as text. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw wrong('filter', 'is not valid JSON');
  }
}

import { acceptScalar, type Column, valueColumns } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import type { Layer } from '../../layers/layers.js';
import { type Filter, type ObjectQuery, parseFilter, parseListQuery } from '../../objects/store.js';
import { placedBox } from '../common/boxes.js';
import { type Crs, filterIn, findCrs } from '../common/crs.js';
import { allOf, featureOutput } from '../common/feature-queries.js';
import { itemLimits } from '../common/routes.js';
import type { OgcServices } from '../services.js';

/** The parameters of a list of features as texts. Those that `conditions` reads may come several times, as lists. */
export type ItemParameters = Readonly<Record<string, string | undefined>>;

/** The parameters of a list of features, apart from columns. */
export const itemParameters = {
  limit: 'Most features of a page, 1 to 50,000 (a setting); 10,000 when absent',
  bbox: 'West, south, east, north in the system of bbox-crs: features whose geometry meets the box',
  'bbox-crs': 'Coordinate reference system of bbox; CRS84 when absent',
  crs: 'Coordinate reference system of the geometries; CRS84 when absent',
  datetime: 'An instant, or an interval such as 2024-05-01/.. ; over the first column of times',
  filter: 'A CQL2 filter over the columns and `geom`',
  'filter-lang': 'cql2-text (default) or cql2-json',
  'filter-crs': 'Coordinate reference system of the geometries in filter; CRS84 when absent',
  sortby: 'Columns, separated by commas, + or - before each',
  properties: 'Codes of the columns to return, separated by commas; all when absent',
  cursor: 'Where the page begins, from a link next',
  offset: 'How many features to skip, for programs that do not follow links; not with cursor',
  before: 'How many pages before cursor the page lies, from a link prev',
  skip: 'How many features behind cursor the page begins, from a link next of a list in the order of long texts',
} as const;

const wrong = (name: string, why: string) => badRequest(`${name}: ${why}`, { parameters: [name] });

interface ItemQuery {
  query: ObjectQuery;
  crs: Crs;
  /** How many pages before the cursor the page lies. */
  before: number;
}

/** Most features of a page from which QGIS and GDAL take the types of columns: whole numbers alone would make the column one of integers. */
const sampleLimit = 20;

/** Parses the parameters of a list of features; those with the code of a column filter by its value. Throws 400. */
export async function parseItems(
  db: Queryable,
  parameters: ItemParameters,
  { layer, main, config }: { layer: Layer; main: string; config: OgcServices['config'] },
): Promise<ItemQuery> {
  const crs = await findCrs(db, parameters.crs, 'crs');
  const box = await boxCondition(db, parameters, layer.columns);
  const filters = [
    box.filter,
    await filterOf(db, parameters, layer.columns),
    ...conditions(parameters, 'datetime').map((text) => timeFilter(text, layer.columns)),
    valueFilter(parameters, layer.columns),
  ].filter((filter) => filter !== undefined);
  const asked = {
    limit: limitOf(parameters.limit, config),
    cursor: parameters.cursor,
    offset: parameters.offset,
    sort: sortOf(parameters.sortby),
    lng: parameters.lng,
  };
  const query = parseListQuery(asked, layer, main, { ...config, sortName: 'sortby' });
  const skip = fromCursor(parameters, 'skip', config.listOffset);
  return {
    crs,
    before: fromCursor(parameters, 'before', Math.floor(config.listOffset / query.limit)),
    query: {
      ...query,
      ...(query.cursor && { offset: skip }),
      ...featureOutput(crs),
      hasFractions: query.limit <= sampleLimit,
      columns: chosenColumns(parameters.properties, layer.columns),
      boxes: box.boxes,
      filter: allOf(filters),
    },
  };
}

function limitOf(text: string | undefined, config: OgcServices['config']): number {
  const { standard, most } = itemLimits(config);
  if (text === undefined) return standard;
  const limit = Number(text);
  if (!/^\d{1,15}$/.test(text) || limit < 1) throw wrong('limit', 'must be a whole number from 1');
  return Math.min(limit, most);
}

/** A distance from the cursor: a whole number, 0 when absent. */
function fromCursor(parameters: ItemParameters, name: 'before' | 'skip', most: number): number {
  const text = parameters[name];
  if (text === undefined) return 0;
  if (parameters.cursor === undefined) throw wrong(name, 'goes with cursor alone');
  if (/^\d{1,15}$/.test(text) && Number(text) <= Math.max(1, most)) return Number(text);
  throw wrong(name, `must be a whole number up to ${Math.max(1, most)}`);
}

/** `+a,-b` in the form of the interface. A plus sign in an address is a blank. */
function sortOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  return text
    .split(',')
    .map((part) => {
      const [, sign, code] = /^([+-]?)\s*(\w+)$/.exec(part.trim()) ?? [];
      if (code === undefined) throw wrong('sortby', 'must be codes of columns with + or - before them');
      return `${code},${sign === '-' ? 'd' : 'a'}`;
    })
    .join('|');
}

function chosenColumns(text: string | undefined, columns: readonly Column[]): readonly Column[] {
  const all = valueColumns(columns);
  if (text === undefined || text === '') return all;
  const codes = text.split(',').map((code) => code.trim());
  const unknown = codes.find(
    (code) => !columns.some((column) => column.code === code && column.type !== 'title'),
  );
  if (unknown !== undefined)
    throw wrong('properties', `the collection has no property '${unknown.slice(0, 100)}'`);
  return all.filter(({ code }) => codes.includes(code));
}

async function filterOf(
  db: Queryable,
  parameters: ItemParameters,
  columns: readonly Column[],
): Promise<Filter | undefined> {
  const { filter, 'filter-lang': lang = 'cql2-text', 'filter-crs': crsText } = parameters;
  if (lang !== 'cql2-text' && lang !== 'cql2-json')
    throw wrong('filter-lang', 'must be cql2-text or cql2-json');
  const crs = await findCrs(db, crsText, 'filter-crs');
  if (filter === undefined) return undefined;
  // JSON is recognized without being announced.
  const form = /^\s*\{/.test(filter) ? 'cql2-json' : lang;
  return filterIn(db, filter, { columns, crs, lang: form });
}

async function boxCondition(
  db: Queryable,
  parameters: ItemParameters,
  columns: readonly Column[],
): Promise<Pick<ObjectQuery, 'boxes' | 'filter'>> {
  const crs = await findCrs(db, parameters['bbox-crs'], 'bbox-crs');
  const { bbox } = parameters;
  if (bbox === undefined) return {};
  const parts = bbox.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const flat = parts.length === 6 ? [parts[0], parts[1], parts[3], parts[4]] : parts;
  if (flat.length !== 4 || !parts.every(Number.isFinite)) throw wrong('bbox', 'must be four or six numbers');
  const placed = await placedBox(db, flat as [number, number, number, number], crs, 'bbox');
  if ('boxes' in placed) return { boxes: placed.boxes, filter: placed.exact };
  return { filter: parseFilter({ op: 's_intersects', args: [{ property: 'geom' }, placed.shape] }, columns) };
}

/** Values of a parameter, all of which must hold. GDAL sends one for each of its two limits of a time. */
function conditions(parameters: ItemParameters, name: string): readonly string[] {
  const given: string | readonly string[] | undefined = parameters[name];
  const texts = given === undefined ? [] : [given].flat();
  if (texts.length > mostConditions) throw wrong(name, `must be given at most ${mostConditions} times`);
  return texts;
}

const mostConditions = 10;

/** Objects at a time, by the first column of times. A layer without one has no times, so all of its objects are taken. */
function timeFilter(text: string, columns: readonly Column[]): Filter | undefined {
  const parts = text.split('/');
  if (parts.length > 2) throw wrong('datetime', 'must be an instant, or two with a slash between them');
  const [start, end = start] = parts as [string, string?];
  const interval = [instantOf(start, ''), instantOf(end!, endOfDay)];
  if (parts.length === 1 && interval.includes('..')) throw wrong('datetime', 'is empty');
  const [from, to] = interval as [string, string];
  if (from !== '..' && to !== '..' && Date.parse(from) > Date.parse(to))
    throw wrong('datetime', 'ends before it begins');
  const column = columns.find(({ type }) => type === 'datetime');
  if (!column) return undefined;
  return parseFilter({ op: 't_intersects', args: [{ property: column.code }, { interval }] }, columns);
}

const endOfDay = 'T23:59:59.999Z';

/** An instant of RFC 3339, or a day. GDAL sends the midnight with which a day begins as `2024-05-01T`. */
function instantOf(given: string, ofDay: string): string {
  const text = given.replace(/^(\d{4}-\d\d-\d\d)T$/, '$1T00:00:00Z');
  if (text === '' || text === '..') return '..';
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instant = text.replace(' ', '+');
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(instant);
  if ((!isDay && !isInstant) || !isAccepted('datetime', instant)) throw noTime('datetime', text);
  return isDay ? text + ofDay : instant;
}

const noTime = (name: string, text: string) =>
  wrong(name, `'${text.slice(0, 50)}' is no time such as 2024-05-01T12:00:00Z, nor a day`);

/** Whether a column of the type could have the value. There is no 30 February. */
function isAccepted(type: 'datetime' | 'text', text: string): boolean {
  try {
    acceptScalar(type, text);
    return true;
  } catch {
    return false;
  }
}

/** Objects whose columns have the values of the parameters that are named like them. */
function valueFilter(parameters: ItemParameters, columns: readonly Column[]): Filter | undefined {
  const terms = filterColumns(columns).flatMap((column) =>
    conditions(parameters, column.code).map((text) => ({
      op: '=',
      args: [{ property: column.code }, typed(column, text)],
    })),
  );
  return terms.length ? parseFilter({ op: 'and', args: terms }, columns) : undefined;
}

/** The columns that are parameters: those with values that compare, unless another parameter has their code. */
export const filterColumns = (columns: readonly Column[]): Column[] =>
  columns.filter(
    ({ code, type }) =>
      /^(number|string|text|datetime|bool|file)$/.test(type) &&
      !Object.hasOwn(itemParameters, code) &&
      !['f', 'lng', 'token'].includes(code),
  );

function typed({ code, type }: Column, text: string): unknown {
  if (type === 'number') {
    if (text.trim() === '' || !Number.isFinite(Number(text))) throw wrong(code, 'must be a number');
    return Number(text);
  }
  if (type === 'datetime' && !isAccepted(type, text)) throw noTime(code, text);
  if (!isAccepted('text', text)) throw wrong(code, 'must be a text without NUL');
  if (type !== 'bool') return text;
  if (!/^(true|false|1|0)$/i.test(text)) throw wrong(code, 'must be true or false');
  return /^(true|1)$/i.test(text);
}

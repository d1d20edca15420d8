import { type Column, valueColumns } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import type { Caller } from '../../access/caller.js';
import { shownName } from '../../containers/names.js';
import { dictionaryValues, readConstraints } from '../../layers/constraints/constraints.js';
import { strictLinks } from '../../layers/constraints/dictionaries.js';
import type { Layer } from '../../layers/layers.js';
import { layerTraits } from '../../layers/styles/traits.js';
import { isComparable } from '../../objects/store.js';

type Property = Record<string, unknown>;

const typesOf: Readonly<Record<string, Property>> = {
  number: { type: 'number' },
  string: { type: 'string', maxLength: 4_000 },
  text: { type: 'string' },
  datetime: { type: 'string', format: 'date-time' },
  bool: { type: 'boolean' },
  file: { type: 'string', readOnly: true },
  json: {},
};

const geometryFormats = {
  Point: 'geometry-point-or-multipoint',
  LineString: 'geometry-linestring-or-multilinestring',
  Polygon: 'geometry-polygon-or-multipolygon',
  Unknown: 'geometry-any',
} as const;

/** Most values of a dictionary that stand in a schema. */
const enumLimit = 1_000;

/** What a schema is made for. */
export interface SchemaRequest {
  layer: Layer;
  caller: Caller;
  lng: string | undefined;
  /** The address of the document. */
  address: string;
}

/** The properties that a filter may name (part 3). */
export async function queryables(db: Queryable, asked: SchemaRequest): Promise<object> {
  return document(asked, await properties(db, asked, () => true), { additionalProperties: false });
}

/** The properties that a list may be sorted by (part 5). */
export async function sortables(db: Queryable, asked: SchemaRequest): Promise<object> {
  return document(asked, await properties(db, asked, isComparable), { additionalProperties: false });
}

/** The properties that features have, with what may be written (part 5). */
export async function returnables(db: Queryable, asked: SchemaRequest): Promise<object> {
  const required = asked.layer.columns.filter((column) => column.required).map(({ code }) => code);
  return document(asked, await properties(db, asked, () => true), required.length ? { required } : {});
}

/**
 * A feature as GeoJSON. GDAL before 3.7 reads no other schema, and takes the types of the first ten features otherwise: 40.5 in the
 * eleventh would become 40.
 */
export async function featureSchema(db: Queryable, asked: SchemaRequest): Promise<object> {
  const all = Object.entries(await properties(db, asked, () => true));
  const isOwn = ([, { 'x-ogc-role': role }]: [string, Property]): boolean => role === undefined;
  return {
    ...document(asked, {
      type: { type: 'string', enum: ['Feature'] },
      properties: { type: 'object', properties: Object.fromEntries(all.filter(isOwn)) },
    }),
    required: ['type', 'geometry', 'properties'],
  };
}

const document = (
  { layer, caller, lng, address }: SchemaRequest,
  all: object,
  more: object = {},
): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: address,
  type: 'object',
  title: shownName(layer, [lng, ...caller.project.languages]) || layer.code,
  properties: all,
  ...more,
});

async function properties(
  db: Queryable,
  { layer, caller, lng }: SchemaRequest,
  isWanted: (column: Column) => boolean,
): Promise<Record<string, Property>> {
  const { kind } = (await layerTraits(db, [layer.id], '4326')).get(layer.id) ?? { kind: 'Unknown' as const };
  const allowed = await allowedValues(db, caller, layer);
  const all: Record<string, Property> = {};
  const chosen = [
    ...layer.columns.filter(({ code, type }) => code === 'svc_id' || type === 'geom'),
    ...valueColumns(layer.columns),
  ];
  for (const [i, column] of [...new Set(chosen)].filter(isWanted).entries()) {
    const title = shownName(column, [lng, ...caller.project.languages]) || column.code;
    const own =
      column.code === 'svc_id'
        ? { type: 'integer', readOnly: true, 'x-ogc-role': 'id' }
        : column.type === 'geom'
          ? { format: geometryFormats[kind], 'x-ogc-role': 'primary-geometry' }
          : { ...typesOf[column.type], ...allowed.get(column.id) };
    all[column.code] = { title, ...own, 'x-ogc-propertySeq': i + 1 };
  }
  return all;
}

/** What values columns may have, by their constraints; those of a dictionary where the caller may view it. */
async function allowedValues(db: Queryable, caller: Caller, layer: Layer): Promise<Map<number, Property>> {
  const constraints = await readConstraints(db, layer.id);
  const all = new Map<number, Property>();
  if (!constraints.length) return all;
  const links = await strictLinks(db, caller, { mapId: layer.map.id, layerId: layer.id });
  const shown = new Set(links.map(({ constraint_name }) => constraint_name));
  for (const { type, name, columns, definition, dictionary } of constraints) {
    const { id } = columns[0]!;
    const [least, greatest] = definition ?? [];
    if (type === 'check') all.set(id, { ...all.get(id), enum: definition });
    if (type === 'range' && typeof (least ?? greatest) === 'number')
      all.set(id, {
        ...all.get(id),
        ...(least === null ? {} : { minimum: least }),
        ...(greatest === null ? {} : { maximum: greatest }),
      });
    if (type !== 'dictionary' || !dictionary || !shown.has(name)) continue;
    const values = await dictionaryValues(db, dictionary, enumLimit + 1);
    if (values.length && values.length <= enumLimit) all.set(id, { ...all.get(id), enum: values });
  }
  return all;
}

import fc from 'fast-check';

/** Requests of the shape that the OpenAPI document gives, with values that mean harm. */

export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
}

export interface HostileRequest {
  operation: Operation;
  method: string;
  path: string;
  token: 'admin' | 'none' | 'bad';
  accept: string;
  contentType: string | undefined;
  body: string | undefined;
}

export interface Target {
  operation: Operation;
  method: string;
  path: string;
}

/** Codes and ids of what the seeded catalog has. */
export type Known = Readonly<Record<string, readonly string[]>>;

const long = fc.constantFrom('x'.repeat(5_000), 'я'.repeat(3_000), '('.repeat(4_000), '1'.repeat(2_000));

const texts = fc.oneof(
  fc.constantFrom(
    "'; drop table project; --",
    '" or 1=1 --',
    '$1',
    '%s%n',
    '<script>alert(1)</script>',
    '../../../../etc/passwd',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b',
    '🗺️',
    '\uffff',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '*',
    'svc_id',
    'geom',
    'id',
    'name,name',
    'name|name,d|pop,a',
    '1-9007199254740993',
    '9-1',
    '1;2;x',
    'NaN',
    'Infinity',
    '1e400',
    '-0',
    '48.8,2.2,48.9,2.4',
    'NaN,NaN,NaN,NaN',
    '1e308,1e308,-1e308,-1e308',
    '90,180,-90,-180',
    '+proj=merc +nadgrids=/etc/passwd',
    '999999',
    '{}',
    '[]',
    'null',
    'true',
    '#gardens { marker-file: url(/etc/passwd); }',
    'EPSG:0',
    '2024-13-45',
    '0001-01-01T00:00:00Z BC',
    '294277-01-01',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  long,
);

const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 32),
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 1e21, 32_767, 32_768),
  fc.integer(),
  fc.double({ noNaN: true }),
);

const deep = fc.integer({ min: 1, max: 200 }).map((depth) => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { op: 'not', args: [value] };
  return value;
});

const geometries = fc.oneof(
  fc.constantFrom<unknown>(
    { type: 'Point', coordinates: [] },
    { type: 'Point', coordinates: [1e308, -1e308] },
    { type: 'Point', coordinates: ['1', '2'] },
    { type: 'Point', coordinates: [0, 0, 0, 0, 0] },
    { type: 'Polygon', coordinates: [[[0, 0]]] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 1],
          [1, 0],
          [0, 0],
        ],
      ],
    },
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [0, 0],
      ],
    },
    { type: 'MultiPolygon', coordinates: [] },
    { type: 'GeometryCollection', geometries: [] },
    { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [] }] },
    {
      type: 'CircularString',
      coordinates: [
        [0, 0],
        [1, 1],
        [2, 0],
      ],
    },
    { type: 'Point', coordinates: [2.3, 48.8], crs: { type: 'name', properties: { name: "';--" } } },
    null,
  ),
  fc.tuple(numbers, numbers).map((coordinates) => ({ type: 'Point', coordinates })),
);

const filters = fc
  .tuple(
    fc.constantFrom(
      '=',
      '<>',
      '<',
      'in',
      'between',
      'like',
      'isNull',
      'and',
      'or',
      'not',
      's_intersects',
      's_dwithin',
      'evil',
    ),
    fc.array(
      fc.oneof(
        fc.constantFrom({ property: 'name' }, { property: 'pop' }, { property: 'geom' }, { property: 'x"' }),
        texts,
        numbers,
        geometries,
        deep,
      ),
      { maxLength: 4 },
    ),
  )
  .map(([op, args]): unknown => ({ op, args }));

const anything: fc.Arbitrary<unknown> = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(texts, numbers), { maxLength: 4 }),
  fc.dictionary(texts, fc.oneof(texts, numbers), { maxKeys: 3 }),
  deep,
);

/** A value of the schema thirty times of thirty-one, else anything at all. */
function anyValue(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  const right = rightValue(schema, name, known);
  return fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function rightValue(schema: Schema, name: string, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (name === 'geom') return geometries;
  if (name === 'filter') return filters;
  if (known[name]) {
    const good = fc.constantFrom(...known[name]);
    return fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: texts });
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((branch) => anyValue(branch, name, known)));
  const types = [schema.type ?? []].flat();
  if (types.includes('object')) return objectOf(schema, known);
  if (types.includes('array')) return fc.array(anyValue(schema.items ?? {}, name, known), { maxLength: 4 });
  if (types.includes('integer') || types.includes('number')) return numbers;
  if (types.includes('boolean')) return fc.boolean();
  if (types.includes('string')) return texts;
  return anything;
}

function objectOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties);
  if (!names.length)
    return fc.dictionary(
      fc.oneof(fc.constantFrom('name', 'pop', 'at', 'ok', 'doc', 'en', 'minZoom', 'opacity'), texts),
      anything,
      {
        maxKeys: 4,
      },
    );
  const record = Object.fromEntries(names.map((key) => [key, anyValue(properties[key]!, key, known)]));
  return fc.record(record, { requiredKeys: required.filter((key) => names.includes(key)) });
}

/** The text of a value in an address: what is no text is written as JSON; lone surrogates become broken UTF-8. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return [...text]
    .map((letter) => (/^[\ud800-\udfff]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter)))
    .join('');
}

/** Requests to all functions, each as likely as the others. */
export function hostileRequests(targets: readonly Target[], known: Known): fc.Arbitrary<HostileRequest> {
  return fc.constantFrom(...targets).chain((target) => requestTo(target, known));
}

function requestTo({ operation, method, path }: Target, known: Known): fc.Arbitrary<HostileRequest> {
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== 'token');
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const pathValues = fc.tuple(
    ...inPath.map(({ name }) =>
      fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom(...(known[name] ?? ['1'])) },
        { weight: 1, arbitrary: fc.oneof(texts, numbers) },
      ),
    ),
  );
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, anyValue(schema, name, known)])),
    { requiredKeys: [] },
  );
  const schema = operation.requestBody?.content['application/json']?.schema;
  const isImport = path.endsWith('/import/');
  const features = fc.array(
    fc.record({ type: fc.constant('Feature'), properties: anything, geometry: geometries }),
    { maxLength: 3 },
  );
  const body = isImport
    ? features.map((list): unknown => ({ type: 'FeatureCollection', features: list }))
    : schema
      ? anyValue(schema, 'body', known)
      : fc.constant(undefined);
  return fc
    .record({
      pathValues,
      query,
      body,
      garbage: fc.option(fc.constantFrom('{', '[[[', '\u0000', '{"a":1', 'a=1&b', '"\\ud800"', ''), {
        freq: 12,
        nil: undefined,
      }),
      token: fc.oneof(
        { weight: 12, arbitrary: fc.constant('admin' as const) },
        { weight: 1, arbitrary: fc.constantFrom('none' as const, 'bad' as const) },
      ),
      accept: fc.constantFrom('*/*', 'application/json', 'text/html'),
      contentType: fc.oneof(
        { weight: 12, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'text/plain',
            'application/x-www-form-urlencoded',
            'multipart/form-data',
          ),
        },
      ),
    })
    .map(({ pathValues: values, query: pairs, body: value, garbage, ...rest }) => {
      let place = 0;
      const filled = path.replace(/\{\w+\}/g, () => encoded(values[place++]).replaceAll('.', '%2E') || '%20');
      const search = Object.entries(pairs)
        .map(([name, one]) => `${name}=${encoded(one)}`)
        .join('&');
      const sent =
        method === 'get' ? undefined : (garbage ?? (value === undefined ? undefined : JSON.stringify(value)));
      return {
        operation,
        method,
        path: search ? `${filled}?${search}` : filled,
        token: rest.token,
        accept: rest.accept,
        contentType: sent === undefined ? undefined : rest.contentType,
        body: sent,
      };
    });
}

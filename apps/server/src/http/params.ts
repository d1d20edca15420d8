import { languagePattern } from '@cartulary/columns';
import { type TSchema, Type } from 'typebox';

/** A switch in a query, in both of its forms. */
export const Flag = (description: string) =>
  Type.Optional(Type.Enum(['0', '1', 'true', 'false'], { description, default: '0' }));

/** Whether a `Flag` is on, also one of a form, in capitals. */
export const isOn = (flag: string | undefined): boolean => flag === '1' || flag?.toLowerCase() === 'true';

/** A projection of coordinates: EPSG 4326 (default) or 3857. */
export const SpatialReference = (description: string) =>
  Type.Optional(Type.Enum(['4326', '3857'], { description, default: '4326' }));

/** `lng` and `f`, which every function accepts. */
export const common = {
  lng: Type.Optional(
    Type.String({
      pattern: languagePattern,
      description: 'Language of names and localized values; the main language of the map when absent',
      examples: ['en'],
    }),
  ),
  f: Type.Optional(Type.Enum(['json', 'fjson'], { description: 'Response format', default: 'json' })),
  token: Type.Optional(
    Type.String({
      description:
        'Session token (or header Authorization: Bearer, Basic with it as password, X-Token, or a form field)',
    }),
  ),
};

/** The common parameters of functions that return a picture, a vector tile or a file, whatever `f` is. */
export const ofContent = {
  ...common,
  f: Type.Optional(
    Type.Enum(['json', 'fjson', 'png', 'pbf'], {
      description: 'Taken as everywhere; the answer has one form',
    }),
  ),
};

/** The query of a function: its own parameters and the common ones. */
export const Query = <T extends Record<string, TSchema>>(own: T) => Type.Object({ ...own, ...common });

/** Description and example of each path parameter, for the OpenAPI document. */
export const pathParts: Readonly<Record<string, readonly [string, string]>> = {
  project: ['Code of the project', 'demo'],
  map: ['Code of the map', 'parks'],
  folder: ['Code of the folder', 'green'],
  layer: ['Code of the layer', 'gardens'],
  field: ['Code of the column', 'hectares'],
  file: ['Id of the file', '7'],
  uuid: ['Uuid of the file', '2f1c9c1e-6a2b-4b7d-9d53-5f0b3a6f8c10'],
  icon: ['Name of the icon', 'cafe'],
  job: ['Id of the job', '7d3f2b64-0d0e-4c0f-9f0c-3f1f3c6d5a21'],
  login: ['Login of the user', 'ann'],
  upload: ['Id of the upload', '7d3f2b64-0d0e-4c0f-9f0c-3f1f3c6d5a21'],
  session: ['Id of the session', '5f1c3ab09d2e4c7788aa01ff'],
};

const pathPart = (name: string) => {
  const [description, example] = pathParts[name] ?? [`The ${name}`, name];
  return Type.String({ description, examples: [example] });
};

/** The path of a function, by the names of its parameters below the project. */
export const Path = <K extends string>(...names: K[]) =>
  Type.Object(
    Object.fromEntries(['project', ...names].map((name) => [name, pathPart(name)])) as Record<
      K | 'project',
      ReturnType<typeof Type.String>
    >,
  );

/** A documented response. Responses are never filtered by the schema. */
export const answers = (schema: TSchema, description = 'The result') => ({ 200: { ...schema, description } });

/** A documented response of bytes in one of these media types, which the types of JSON responses do not cover. */
export const bytesAs = (description: string, ...types: readonly string[]): Record<string, unknown> => ({
  200: { description, content: contentOf(types, { type: 'string', format: 'binary' }) },
});

/** Documented responses, or none to a client that has the content already. Those of pictures have it of themselves. */
export const orNotModified = (responses: Record<string, unknown>): Record<string, unknown> => ({
  ...responses,
  304: { type: 'null', description: notModifiedMeaning },
});

export const notModifiedMeaning = 'The client has it already: If-None-Match names its ETag';

/** A documented response of JSON in one of these media types. */
export const jsonAs = (description: string, ...types: readonly string[]): Record<string, unknown> => ({
  200: { description, content: contentOf(types, {}) },
});

const contentOf = (types: readonly string[], schema: object): Record<string, object> =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

export const Name = Type.Union(
  [Type.String({ maxLength: 1000 }), Type.Record(Type.String(), Type.String({ maxLength: 1000 }))],
  {
    description: 'A name, or language code → name where localized_name',
  },
);

/** The path before `/api`. */
export const basePath = (baseUrl: string): string =>
  baseUrl ? new URL(baseUrl).pathname.replace(/\/+$/, '') : '';

/**
 * An object with described fields: meaning, unit, range, default, or nested fields. The function itself
 * validates the values, and its error names the wrong field.
 */
export const Fields = (
  description: string,
  fields: Readonly<Record<string, string | TSchema>>,
  example?: Readonly<Record<string, unknown>>,
) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [
          name,
          Type.Optional(Type.Unsafe(typeof field === 'string' ? { description: field } : withoutType(field))),
        ]),
      ),
      { description, ...(example ? { examples: [example] } : {}) },
    ),
  );

/** Accepts any value for a nested object; the function itself validates it. */
function withoutType({ type: _, ...rest }: TSchema & { type?: unknown }): TSchema {
  return { ...rest };
}

/** `render_settings` of a layer or a map. */
export const RenderSettingsSchema = Fields(
  'How tiles are drawn; those of a map hold for all of its layers. Other fields are kept',
  {
    minZoom: 'The first zoom level, 0 (default) to 24; the larger one of map and layer',
    maxZoom: 'The last zoom level, 0 to 24 (default); the smaller one of map and layer',
    opacity: '0 to 1 (default); times that of the map',
    buffer:
      'Pixels around a tile whose objects are drawn too, 0 to 512; absent: as many as the style needs; of the map where the layer has none',
    cache: 'Whether tiles are kept in memory; default true',
  },
  { minZoom: 0, maxZoom: 24, opacity: 1, buffer: 64, cache: true },
);

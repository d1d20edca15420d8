import { type TSchema, Type } from 'typebox';

/** The two forms of a switch in a query. */
export const Flag = (description: string) =>
  Type.Optional(Type.Enum(['0', '1', 'true', 'false'], { description, default: '0' }));

/** Whether a `Flag` is on. */
export const isOn = (flag: string | undefined): boolean => flag === '1' || flag === 'true';

/** A projection of coordinates: EPSG 4326 (default) or 3857. */
export const SpatialReference = (description: string) =>
  Type.Optional(Type.Enum(['4326', '3857'], { description, default: '4326' }));

export type SR = '4326' | '3857';

/**
 * A well-formed language tag: language, script, region, variants (RFC 5646, section 2.1, without extensions). `Intl` throws on
 * what is not: a longer script, a region twice, a variant of three letters.
 */
export const languagePattern =
  '^([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$';

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
    Type.String({ description: 'Session token (or header Authorization: Bearer, X-Token, or a form field)' }),
  ),
};

/** The same for functions that answer with a picture, a vector tile or a file, whatever `f` is. */
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

/** What the parts of paths mean, for the OpenAPI document: description and example. */
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
};

const pathPart = (name: string) => {
  const [description, example] = pathParts[name] ?? [`The ${name}`, name];
  return Type.String({ description, examples: [example] });
};

/** The path of a function by the names of its parts below the project. */
export const Path = <K extends string>(...names: K[]) =>
  Type.Object(
    Object.fromEntries(['project', ...names].map((name) => [name, pathPart(name)])) as Record<
      K | 'project',
      ReturnType<typeof Type.String>
    >,
  );

/** An answer that is documented as `schema`; answers are never filtered by it. */
export const answers = (schema: TSchema, description = 'The result') => ({ 200: { ...schema, description } });

export const Name = Type.Union(
  [Type.String({ maxLength: 1000 }), Type.Record(Type.String(), Type.String({ maxLength: 1000 }))],
  {
    description: 'A name, or language code → name where localized_name',
  },
);

/** What comes before `/api` in the paths of the service. */
export const basePath = (baseUrl: string): string =>
  baseUrl ? new URL(baseUrl).pathname.replace(/\/+$/, '') : '';

/**
 * An object whose fields are described: meaning, unit, range, default, or further fields. What they hold is judged by the
 * function itself, whose error names what is wrong.
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

/** Anything passes for an inner object: the function says what is wrong with it. */
function withoutType({ type: _, ...rest }: TSchema & { type?: unknown }): TSchema {
  return { ...rest };
}

/** `render_settings` of a layer or a map. */
export const RenderSettings = Fields(
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

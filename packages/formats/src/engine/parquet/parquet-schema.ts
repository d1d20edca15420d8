import type { FileMetaData, SchemaElement } from 'hyparquet';
import type { LayerInfo, SourceField } from '../orders.js';
import { type ArrowEncoding, isArrowEncoding } from './geoarrow.js';

/** An error whose message is shown to the user. */
export class ParquetRefusal extends Error {}

/** A file as a layer, and what its rows are read with. */
export interface ParquetLayer {
  layer: LayerInfo;
  /** Names of the columns of the fields, in their order. */
  columns: readonly string[];
  /** The column of the geometry. */
  geometry: string | undefined;
  /** How the geometries are encoded; undefined: as WKB. */
  encoding: ArrowEncoding | undefined;
  /** Scales of decimal numbers, by column. */
  scales: ReadonlyMap<string, number>;
  /** Units of times of day in a second, by column. */
  timeUnits: ReadonlyMap<string, number>;
  warnings: readonly string[];
}

interface GeoColumn {
  encoding?: string;
  crs?: unknown;
  covering?: { bbox?: Record<string, unknown> };
}

interface GeoMetadata {
  primary_column?: string;
  columns?: Record<string, GeoColumn>;
}

/** Most columns of a file. */
const columnLimit = 65_535;

/** A file as a layer, by its metadata. `ownColumnsKey`: where an own export describes its columns. */
export function parquetLayer(metadata: FileMetaData, name: string, ownColumnsKey: string): ParquetLayer {
  const top = topElements(metadata.schema);
  if (top.length > columnLimit) throw new ParquetRefusal(`it has more than ${columnLimit} columns`);
  const geo = objectIn<GeoMetadata>(metadata, 'geo');
  const geometry = geometryOf(top, geo);
  const encoding = geometry && encodingOf(geometry, geo);
  const own = objectIn<Record<string, string>>(metadata, ownColumnsKey) ?? {};
  const warnings: string[] = [];
  const left = new Set([geometry?.name, ...coverings(geo)]);
  for (const { name: other } of top)
    if (other !== geometry?.name && geo?.columns?.[other]) {
      left.add(other);
      warnings.push(`The further geometry '${other.slice(0, 100)}' was left out`);
    }
  const kept = top.filter((element) => !left.has(element.name));
  const fields = kept.map(
    (element): SourceField => ({
      name: element.name,
      ...typeOf(element),
      description: typeof own[element.name] === 'string' ? own[element.name] : undefined,
    }),
  );
  return {
    layer: {
      name,
      count: Number(metadata.num_rows),
      fields,
      hasGeometry: geometry !== undefined,
      geometryName: geometry?.name ?? '',
      heights: 'all',
      hasMeasures: encoding !== undefined && partsOf(metadata.schema, geometry!).has('m'),
      srs: geometry && srsOf(geo?.columns?.[geometry.name], geometry, metadata),
    },
    columns: kept.filter((_, i) => fields[i]!.type !== 'Binary').map((element) => element.name),
    geometry: geometry?.name,
    encoding,
    scales: new Map(kept.filter(isDecimal).map((element) => [element.name, scaleOf(element)])),
    timeUnits: new Map(kept.filter(isTime).map((element) => [element.name, timeUnitOf(element)])),
    warnings,
  };
}

/** The columns of the file: a column of several values has its elements below it. */
function topElements(schema: readonly SchemaElement[]): SchemaElement[] {
  const top: SchemaElement[] = [];
  let at = 1;
  const skip = (): void => {
    let open = schema[at++]?.num_children ?? 0;
    while (open-- > 0) skip();
  };
  const count = schema[0]?.num_children ?? 0;
  for (let i = 0; i < count && schema[at]; i++) {
    top.push(schema[at]!);
    skip();
  }
  return top;
}

/** Names of the elements below a column. */
function partsOf(schema: readonly SchemaElement[], column: SchemaElement): ReadonlySet<string> {
  const names = new Set<string>();
  let open = column.num_children ?? 0;
  for (let at = schema.indexOf(column) + 1; open > 0 && schema[at]; at++) {
    names.add(schema[at]!.name);
    open += (schema[at]!.num_children ?? 0) - 1;
  }
  return names;
}

function objectIn<T extends object>({ key_value_metadata }: FileMetaData, key: string): T | undefined {
  const text = key_value_metadata?.find((one) => one.key === key)?.value;
  return text === undefined ? undefined : objectOf<T>(text, key);
}

function objectOf<T extends object>(text: string, key: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    throw new ParquetRefusal(`its metadata '${key}' are no JSON`);
  }
}

const isNative = ({ logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'GEOMETRY' || logical_type?.type === 'GEOGRAPHY';

/** The column of the geometry: the primary one, else one of a type for it, else a binary one that is named as such. */
function geometryOf(top: readonly SchemaElement[], geo: GeoMetadata | undefined): SchemaElement | undefined {
  if (geo) {
    const primary = top.find(({ name }) => name === geo.primary_column);
    if (primary) return primary;
  }
  const isBinary = (element: SchemaElement): boolean =>
    element.type === 'BYTE_ARRAY' && !element.converted_type && !element.logical_type;
  return (
    top.find(isNative) ??
    top.find(
      (element) => isBinary(element) && /^(geom|geometry|wkb|wkb_geometry|the_geom)$/i.test(element.name),
    )
  );
}

function encodingOf({ name }: SchemaElement, geo: GeoMetadata | undefined): ArrowEncoding | undefined {
  const encoding = String(geo?.columns?.[name]?.encoding ?? 'WKB');
  if (encoding === 'WKB') return undefined;
  if (isArrowEncoding(encoding)) return encoding;
  throw new ParquetRefusal(`its geometries are encoded as '${encoding.slice(0, 50)}': write them as WKB`);
}

/** Columns with the boxes of geometries. */
const coverings = (geo: GeoMetadata | undefined): string[] =>
  Object.values(geo?.columns ?? {}).flatMap(({ covering }) =>
    Object.values(covering?.bbox ?? {}).flatMap((path) => (Array.isArray(path) ? [String(path[0])] : [])),
  );

/** `EPSG:n` of PROJJSON or of the type, or the PROJJSON where it has no code that is known. */
function srsOf(
  column: GeoColumn | undefined,
  { logical_type }: SchemaElement,
  metadata: FileMetaData,
): string | undefined {
  const native = logical_type && 'crs' in logical_type ? namedCrs(logical_type.crs, metadata) : undefined;
  const crs = column && 'crs' in column ? column.crs : native;
  if (crs === undefined) return 'EPSG:4326';
  if (crs === null) return undefined;
  const text = typeof crs === 'string' ? crs : (codeOf(crs as object) ?? JSON.stringify(crs));
  return /^OGC:CRS84h?$/i.test(text) ? 'EPSG:4326' : text;
}

/**
 * The system that a type names (Parquet, Geospatial.md, "CRS Customization"): `srid:4326`, `projjson:` with the key of the
 * metadata that holds it, or, as some programs write it, the PROJJSON itself.
 */
function namedCrs(crs: string | undefined, metadata: FileMetaData): unknown {
  const [, form, name] = /^(srid|projjson):(.*)$/is.exec(crs ?? '') ?? [];
  if (form?.toLowerCase() === 'srid') return name === '0' ? null : `EPSG:${name}`;
  if (form) return objectIn(metadata, name!) ?? crs;
  return crs?.startsWith('{') ? objectOf(crs, 'crs') : crs;
}

/** PROJJSON has either one `id` or a list of `ids`. */
function codeOf({ id, ids }: { id?: unknown; ids?: unknown }): string | undefined {
  const codes = (Array.isArray(ids) ? ids : [id]).map((one: unknown) => {
    const { authority, code } = (typeof one === 'object' && one !== null ? one : {}) as Record<
      string,
      unknown
    >;
    return `${authority}:${code}`;
  });
  return codes.find((code) => /^(?:EPSG|ESRI|OGC):/i.test(code));
}

/** Digits after the point of a decimal number. No writer has more than 76 digits; a damaged file may name billions. */
function scaleOf({ name, scale = 0 }: SchemaElement): number {
  if (scale < 0 || scale > 1_000)
    throw new ParquetRefusal(`its column '${name.slice(0, 50)}' has ${scale} digits after the point`);
  return scale;
}

const isDecimal = ({ converted_type, logical_type }: SchemaElement): boolean =>
  converted_type === 'DECIMAL' || logical_type?.type === 'DECIMAL';

const isTime = ({ converted_type, logical_type }: SchemaElement): boolean =>
  logical_type?.type === 'TIME' || converted_type === 'TIME_MILLIS' || converted_type === 'TIME_MICROS';

function timeUnitOf({ converted_type, logical_type }: SchemaElement): number {
  const unit = logical_type?.type === 'TIME' ? logical_type.unit : converted_type?.slice('TIME_'.length);
  return unit === 'MILLIS' ? 1e3 : unit === 'NANOS' ? 1e9 : 1e6;
}

/** Has decimal numbers read as the whole numbers that they are stored as: made to numbers by the reader, long ones lose digits. */
export function keepDigits(schema: readonly SchemaElement[]): void {
  for (const element of topElements(schema))
    if (isDecimal(element) && element.repetition_type !== 'REPEATED') {
      delete element.converted_type;
      delete element.logical_type;
    }
}

/**
 * Gives the elements of a schema the older kind of type that tells the same as their newer one: by it alone the reader knows
 * decimals, dates, JSON, and texts of a closed list.
 */
export function completeTypes(schema: readonly SchemaElement[]): void {
  for (const element of schema) {
    const { logical_type: logical } = element;
    const kind = logical?.type ?? element.converted_type;
    if (kind === 'ENUM') element.converted_type = 'UTF8';
    else if (kind === 'DATE' || kind === 'JSON' || kind === 'DECIMAL') element.converted_type = kind;
    if (logical?.type === 'DECIMAL') element.scale ??= logical.scale;
  }
}

type FieldType = Pick<SourceField, 'type' | 'subType'>;
const plain = (type: string): FieldType => ({ type, subType: undefined });

function typeOf(element: SchemaElement): FieldType {
  const { type, converted_type: converted, logical_type: logical, num_children, repetition_type } = element;
  const kind = logical?.type ?? converted;
  if (num_children || repetition_type === 'REPEATED' || kind === 'JSON')
    return { type: 'String', subType: 'JSON' };
  if (isDecimal(element)) return plain('Decimal');
  if (kind === 'FLOAT16' || type === 'DOUBLE' || type === 'FLOAT') return plain('Real');
  if (type === 'BOOLEAN') return { type: 'Integer', subType: 'Boolean' };
  if (kind === 'DATE') return plain('Date');
  if (isTime(element)) return plain('Time');
  if (kind?.startsWith('TIMESTAMP') || type === 'INT96') return plain('DateTime');
  if (type === 'INT32' || type === 'INT64') return plain('Integer64');
  if (kind === 'UTF8' || kind === 'STRING' || kind === 'ENUM' || kind === 'UUID') return plain('String');
  return plain('Binary');
}

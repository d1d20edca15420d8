import type { LayerInfo, SourceField } from '../orders.js';
import { arrowWkb } from './geoarrow.js';
import type { ParquetLayer } from './parquet-schema.js';

/*
 * Rows in the form in which GDAL dumps them: PostgreSQL's COPY.
 */

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The line before the rows. Columns of binary data have no values. */
export function headOf({ fields }: LayerInfo, hasGeometry: boolean): Buffer {
  const names = [...(hasGeometry ? ['__geometry'] : []), ...fields.map(({ name }) => name)];
  return Buffer.from(`COPY "public"."rows" (${names.map(quoted).join(', ')}) FROM STDIN;\n`);
}

const escaped = (text: string): string => text.replace(/[\\\t\n\r]/g, (sign) => `\\${sign}`);

/** A row: the geometry, if there is one, then the values of the fields that are not binary. */
export function rowText(
  row: readonly unknown[],
  { layer, geometry, encoding, scales, timeUnits }: ParquetLayer,
): Buffer {
  const cells: string[] = [];
  let at = 0;
  if (geometry !== undefined) {
    const value = row[at++];
    const wkb = encoding ? arrowWkb(value, encoding) : value;
    cells.push(wkb instanceof Uint8Array && wkb.length ? Buffer.from(wkb).toString('hex') : '\\N');
  }
  for (const field of layer.fields) {
    const value = field.type === 'Binary' ? null : row[at++];
    const text =
      field.type === 'Time'
        ? timeOf(value, timeUnits.get(field.name)!)
        : textOf(field, value, scales.get(field.name));
    cells.push(text === undefined ? '\\N' : escaped(text));
  }
  return Buffer.from(`${cells.join('\t')}\n`);
}

function textOf(
  { type, subType }: SourceField,
  value: unknown,
  scale: number | undefined,
): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (subType === 'JSON') return typeof value === 'string' ? value : JSON.stringify(value, asJson);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return undefined;
    return type === 'Date' ? value.toISOString().slice(0, 10) : value.toISOString();
  }
  if (scale !== undefined) return decimalOf(value, scale);
  if (typeof value === 'object') return JSON.stringify(value, asJson);
  return String(value);
}

/** A decimal number, with all digits: the file has it as a whole number, by which ten to the power of `scale` is multiplied. */
function decimalOf(value: unknown, scale: number): string {
  const whole =
    value instanceof Uint8Array
      ? BigInt.asIntN(8 * value.length, BigInt(`0x0${Buffer.from(value).toString('hex')}`))
      : BigInt(value as number | bigint);
  const digits = String(whole < 0 ? -whole : whole).padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const sign = whole < 0 ? '-' : '';
  return `${sign}${digits.slice(0, digits.length - scale)}${scale && fraction ? `.${fraction}` : ''}`;
}

/** A time of day, `12:34:56.789`: the file counts it from midnight. */
function timeOf(value: unknown, unit: number): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const seconds = Number(value) / unit;
  // The moment has milliseconds, as others of the file.
  return new Date(Math.floor(seconds * 1000))
    .toISOString()
    .slice(11, -1)
    .replace(/\.000$/, '');
}

/** What JSON does not have: large integers become numbers or texts, binary data texts. */
function asJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

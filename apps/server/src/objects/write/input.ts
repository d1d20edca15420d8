import { type AcceptedValue, acceptColumn, type Column, valueInvalid } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { checkGeometry, type SR, toEwkb } from '@cartulary/geo';
import type { Slices } from '@cartulary/runtime';
import { demandDictionaries, type Layer } from '../../layers/layers.js';
import type { ObjectChange } from '../sql/write-sql.js';

/** An object as a caller sends it. */
export interface ObjectInput {
  /** Column code → value. */
  fields: Record<string, unknown>;
  /** GeoJSON; null: none; undefined: unchanged. */
  geom?: unknown;
  /** The projection of `geom`. */
  sr: SR;
  /** The language of the values of localized columns. */
  language: string;
}

/** The input of one of many objects. */
interface SlicedInput {
  input: ObjectInput;
  slices: Slices;
}

export async function creationOf(layer: Layer, sent: SlicedInput): Promise<ObjectChange> {
  const change = await changeOf(layer, sent);
  const absent = layer.columns.filter(
    (column) => column.required && isWritable(column) && !change.values.has(column),
  );
  if (isGeomRequired(layer) && !change.geom)
    absent.push(...layer.columns.filter(({ type }) => type === 'geom'));
  refuseUnfilled(absent.map(({ code }) => code));
  return change;
}

export async function updateOf(
  layer: Layer,
  id: number,
  { input, slices }: SlicedInput,
): Promise<ObjectChange> {
  const { svc_id, ...fields } = input.fields;
  if (svc_id !== undefined && svc_id !== id) throw valueInvalid('svc_id', 'cannot be changed');
  const change = await changeOf(layer, { input: { ...input, fields }, slices });
  if (isGeomRequired(layer) && change.geom === null) throw refuseUnfilled(['geom']);
  return change;
}

export function refuseUnfilled(codes: readonly string[]): void {
  if (!codes.length) return;
  throw new ServiceError('required_missing', `Required: ${codes.join(', ')}`, {
    required: codes,
    columns: codes,
  });
}

const isWritable = ({ code, type }: Column): boolean =>
  code !== 'svc_id' && type !== 'geom' && type !== 'title';

const isGeomRequired = (layer: Layer): boolean =>
  layer.columns.some(({ type, required }) => type === 'geom' && required);

async function changeOf(layer: Layer, { input, slices }: SlicedInput): Promise<ObjectChange> {
  const { fields, geom, sr, language } = input;
  const values = new Map<Column, AcceptedValue>();
  for (const [code, value] of Object.entries(fields)) {
    const column = layer.columns.find((candidate) => candidate.code === code);
    if (!column) throw badRequest(`fields: the layer has no column '${code}'`, { columns: [code] });
    if (column.code === 'svc_id') throw valueInvalid(code, 'is given by the service');
    if (column.type === 'geom') throw valueInvalid(code, 'is sent as geom, beside fields');
    values.set(column, acceptColumn(column, value, language));
  }
  demandDictionaries(
    layer,
    [...values].flatMap(([column, value]) => (value === null ? [] : [column])),
  );
  return { values, geom: geom === undefined || geom === null ? geom : await shapeOf(geom, sr, slices) };
}

async function shapeOf(geom: unknown, sr: SR, slices: Slices): Promise<ObjectChange['geom']> {
  if (slices.isOver()) await slices.next();
  const checked = checkGeometry(geom, sr);
  if (slices.isOver()) await slices.next();
  return { ewkb: toEwkb(checked), sr };
}

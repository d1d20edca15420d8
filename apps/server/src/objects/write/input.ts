import {
  type AcceptedValue,
  acceptColumn,
  type Column,
  valueColumns,
  valueInvalid,
  type WrittenLanguages,
} from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
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
  languages: WrittenLanguages;
}

/** The input of one of many objects. */
interface SlicedInput {
  input: ObjectInput;
  slices: Slices;
}

export async function creationOf(layer: Layer, sent: SlicedInput): Promise<ObjectChange> {
  const change = await changeOf(layer, sent);
  const absent = valueColumns(layer.columns).filter(
    (column) => column.required && !change.values.has(column),
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

const isGeomRequired = (layer: Layer): boolean =>
  layer.columns.some(({ type, required }) => type === 'geom' && required);

async function changeOf(layer: Layer, { input, slices }: SlicedInput): Promise<ObjectChange> {
  const { fields, geom, sr, languages } = input;
  const unknown = Object.keys(fields).filter((sent) => !layer.columns.some(({ code }) => code === sent));
  if (unknown.length)
    throw badRequest(`fields: the layer has no column '${unknown[0]}'`, { columns: unknown });
  const refusals = new Refusals();
  const values = new Map<Column, AcceptedValue>();
  for (const [code, value] of Object.entries(fields)) {
    const column = layer.columns.find((candidate) => candidate.code === code)!;
    refusals.collect(() => values.set(column, acceptField(column, value, languages)));
  }
  const hasShape = geom !== undefined && geom !== null;
  if (hasShape && slices.isOver()) await slices.next();
  const shape = hasShape ? refusals.collect(() => checkGeometry(geom, sr)) : undefined;
  refusals.throwAll();
  demandDictionaries(
    layer,
    [...values].flatMap(([column, value]) => (value === null ? [] : [column])),
  );
  if (!shape) return { values, geom: hasShape ? undefined : geom };
  if (slices.isOver()) await slices.next();
  return { values, geom: { ewkb: toEwkb(shape), sr } };
}

/** Collects refused values, so that one error names the columns of all of them. */
class Refusals {
  readonly #errors: ServiceError[] = [];

  /** Runs `accept`. Keeps a `value_invalid` for `throwAll` and returns undefined. */
  collect<T>(accept: () => T): T | undefined {
    try {
      return accept();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'value_invalid') throw error;
      this.#errors.push(error);
      return undefined;
    }
  }

  /** Throws `value_invalid` where values were refused: the first reason, and the columns of all. */
  throwAll(): void {
    const [first, ...others] = this.#errors;
    if (!others.length) {
      if (first) throw first;
      return;
    }
    const columns = this.#errors.flatMap(({ data }) => data.columns as string[]);
    const also = columns.slice(1).join(', ');
    throw new ServiceError('value_invalid', `${first!.message}; also refused: ${also}`, { columns });
  }
}

function acceptField(column: Column, value: unknown, languages: WrittenLanguages): AcceptedValue {
  if (column.code === 'svc_id') throw valueInvalid(column.code, 'is given by the service');
  if (column.type === 'geom') throw valueInvalid(column.code, 'is sent as geom, beside fields');
  // Such a column has no storage, so that not even null can be written.
  if (column.type === 'title') throw valueInvalid(column.code, noteOf('takesNothing'));
  return acceptColumn(column, value, languages);
}

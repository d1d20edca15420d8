import { ClientError } from '@cartulary/client';
import type { RowSource } from '../rows/source.js';

const objectPath = '/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/';
const batchPath = '/api/2.8/{project}/{map}/layers/{layer}/objects/batch/';

export type FieldValues = Readonly<Record<string, unknown>>;

/** An object with the version that was read. */
export interface VersionedObject {
  fields: FieldValues;
  geom: GeoJSON.Geometry | null;
  etag: string;
}

const place = ({ path, lng }: RowSource, object: number) => ({ path: { ...path, object }, query: { lng } });

/** Reads an object; null: it does not exist any more. */
export async function readObject(source: RowSource, id: number): Promise<VersionedObject | null> {
  let etag = '';
  const { path, query } = place(source, id);
  const { fields, geom } = await source.client.get(objectPath, {
    params: { path, query: { ...query, returnGeom: '1' } },
    onResponse: ({ headers }) => {
      etag = headers.get('etag') ?? '';
    },
  });
  return etag === '' ? null : { fields, geom: (geom as GeoJSON.Geometry | null) ?? null, etag };
}

/** Changes an object of a version. Gives the new version. */
export async function writeObject(
  source: RowSource,
  id: number,
  body: { fields?: FieldValues; geom?: GeoJSON.Geometry | null },
  etag: string,
): Promise<string> {
  let next = '';
  await source.client.put(objectPath, {
    params: { ...place(source, id), header: { 'if-match': etag } },
    body: body as { fields?: Record<string, unknown>; geom?: unknown },
    onResponse: ({ headers }) => {
      next = headers.get('etag') ?? '';
    },
  });
  return next;
}

interface Batch {
  delete?: number[];
  update?: { id: number; fields?: Record<string, unknown>; geom?: unknown }[];
  create?: { fields: Record<string, unknown>; geom?: unknown }[];
  etags?: Record<string, string>;
}

/** Writes many objects, all or none. Gives the ids of those that were made. */
export async function writeBatch({ client, path, lng }: RowSource, body: Batch): Promise<number[]> {
  const { created } = await client.post(batchPath, { params: { path, query: { lng } }, body });
  return created;
}

/** The version in the error of a conditional write; null for another error. */
export function presentIn(error: unknown): VersionedObject | null {
  if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') return null;
  const { present, etag } = error.data as {
    present: { fields: FieldValues; geom?: GeoJSON.Geometry | null };
    etag: string;
  };
  return { fields: present.fields, geom: present.geom ?? null, etag };
}

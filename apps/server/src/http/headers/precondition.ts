import { type ErrorData, ServiceError } from '@cartulary/errors';
import { Type } from 'typebox';
import { hasTag } from '../reply.js';

/** The headers of a write that takes If-Match. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 10_000,
      description:
        'ETag of the version that the change was made from. Where another is stored by now nothing is changed: 412 `changed_meanwhile`, with the present version in `data`. Absent: the change is made in any case',
      examples: ['*'],
    }),
  ),
});

/** The header If-Match; undefined: the write has no condition. */
export const ifMatchOf = ({
  headers,
}: {
  headers: { 'if-match'?: string | undefined };
}): string | undefined => headers['if-match'];

/** Throws 412 where If-Match names other versions than the one that is stored; undefined: none is. */
export function demandTag(ifMatch: string | undefined, etag: string | undefined, more: ErrorData = {}): void {
  if (ifMatch === undefined || hasTag(etag === undefined ? undefined : ifMatch, etag ?? '')) return;
  throw new ServiceError('changed_meanwhile', undefined, { etag: etag ?? null, ...more });
}

/** Throws 412 where If-None-Match names the version that is stored. */
export function demandOther(
  ifNoneMatch: string | undefined,
  etag: string | undefined,
  more: ErrorData = {},
): void {
  if (ifNoneMatch === undefined || etag === undefined || !hasTag(ifNoneMatch, etag)) return;
  throw new ServiceError('changed_meanwhile', 'It is stored in a version that If-None-Match names', {
    etag,
    ...more,
  });
}

/** Runs a write. Adds to a 412 what is stored: `present`, as the matching GET answers it. */
export async function withPresent<T>(
  work: Promise<T>,
  read: (data: ErrorData) => Promise<unknown>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'changed_meanwhile') throw error;
    throw new ServiceError(error.code, error.message, { ...error.data, present: await read(error.data) });
  }
}

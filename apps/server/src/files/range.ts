import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../storage/storage.js';

/** The requested part of a content. */
export type WantedBytes = ByteRange | 'all' | 'unsatisfiable';

export interface RangeRequest {
  range?: string | undefined;
  /** `If-Range`: the part is sent only when this ETag is current. */
  ifRange?: string | undefined;
}

/**
 * The part that a request asks for (RFC 9110, section 14): one range of bytes. Every other form, such as
 * several ranges, is answered with the whole content, as the standard allows.
 */
export function wantedRange({ range, ifRange }: RangeRequest, size: number, etag: string): WantedBytes {
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== etag)) return 'all';
  const [, from, to] = /^\s*bytes\s*=\s*(\d{0,16})\s*-\s*(\d{0,16})$/i.exec(range.trim()) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'all';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable';
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'all';
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** The part that a request asks for; undefined for all. Throws 416. */
export function rangeOf(
  request: FastifyRequest,
  reply: FastifyReply,
  size: number,
  etag: string,
): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  const wanted = wantedRange({ range, ifRange: ifRange as string | undefined }, size, etag);
  if (wanted === 'all') return undefined;
  if (wanted !== 'unsatisfiable') return wanted;
  reply.header('content-range', `bytes */${size}`);
  throw new ServiceError('bad_request', `The range lies outside of the ${size} bytes`, {}, 416);
}

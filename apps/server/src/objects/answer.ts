import { Readable } from 'node:stream';
import type { Semaphore } from '@cartulary/runtime';
import type { FastifyReply } from 'fastify';
import { readThroughSemaphore } from '../http/limits/semaphore-stream.js';
import type { OpenList } from './find/find.js';
import type { ObjectText } from './object-texts.js';

export const jsonType = 'application/json; charset=utf-8';

/** Sends an object with the ETag of its version. */
export function sendObject(reply: FastifyReply, { text, etag }: ObjectText): FastifyReply {
  if (etag !== undefined) reply.header('etag', etag);
  return reply.type(jsonType).send(text);
}

/** What stands before and behind the objects of a list, and its media type. */
export interface ListFrame {
  head: string;
  tail: string;
  type: string;
  /** What stands between the objects. */
  separator: ',' | '';
}

const array: ListFrame = { head: '[', tail: ']', type: jsonType, separator: ',' };

/**
 * Sends a list. One slice is sent at once. A longer list follows the pace of its reader, one slice ahead of it, and each
 * slice takes a slot of `lists`. The first slice is read before anything is sent, so that its failure still becomes an error
 * answer.
 */
export async function sendList(
  reply: FastifyReply,
  list: OpenList<Buffer>,
  lists: Semaphore,
  frame = array,
): Promise<FastifyReply> {
  const text = framed(list, frame);
  const first = await text.next();
  if (list.sliceCount <= 1) return reply.type(frame.type).send(first.value);
  const { owner, gone } = reply.request;
  const slots = lists.for(owner);
  return reply
    .type(frame.type)
    .send(
      Readable.from(continued(first.value!, readThroughSemaphore(text, slots, gone)), { highWaterMark: 1 }),
    );
}

/** Reads the first slice of a list now, so that its failure still becomes an error answer where other lists are sent before. */
export async function withFirstSlice(list: OpenList<Buffer>): Promise<OpenList<Buffer>> {
  const rest = list.slices[Symbol.asyncIterator]();
  const { done, value } = await rest.next();
  return done ? list : { ...list, slices: continued(value, { [Symbol.asyncIterator]: () => rest }) };
}

/**
 * Joins slices to the text of a list: one piece for each slice, at least one. It yields bytes, because Node would copy a text
 * once more with the headers.
 */
async function* framed(
  list: OpenList<Buffer>,
  { head, tail, separator: between }: ListFrame,
): AsyncGenerator<Buffer, undefined> {
  let isFirst = true;
  let at = 0;
  for await (const slice of list.slices) {
    const opening = at++ ? '' : head;
    const separator = slice.length && !isFirst ? between : '';
    const closing = at === list.sliceCount ? tail : '';
    if (slice.length) isFirst = false;
    yield Buffer.concat([Buffer.from(opening + separator), slice, Buffer.from(closing)]);
  }
  if (!at) yield Buffer.from(head + tail);
}

async function* continued(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

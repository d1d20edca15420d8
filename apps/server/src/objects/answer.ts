import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { inTurns } from '../http/in-turns.js';
import { ownerOf } from '../http/owner.js';
import type { Turns } from '../http/turns.js';
import type { OpenList } from './read.js';

export const jsonType = 'application/json; charset=utf-8';

/**
 * A list of one slice is sent at once; a longer one at the pace of its reader, one slice ahead of it, for each of which it takes a
 * place of `lists`. The first slice is read before anything is sent, so that its failure is still an error answer.
 */
export async function sendList(
  reply: FastifyReply,
  list: OpenList<Buffer>,
  lists: Turns,
): Promise<FastifyReply> {
  const text = arrayText(list);
  const first = await text.next();
  if (list.sliceCount <= 1) return reply.type(jsonType).send(first.value);
  const { caller, ip, gone } = reply.request;
  const turns = lists.for(ownerOf(caller, ip));
  return reply
    .type(jsonType)
    .send(Readable.from(continued(first.value!, inTurns(text, turns, gone)), { highWaterMark: 1 }));
}

/** A JSON array in as many pieces as there are slices, at least one; as bytes, since a text would be copied once more with the headers. */
async function* arrayText(list: OpenList<Buffer>): AsyncGenerator<Buffer, undefined> {
  let isFirst = true;
  let at = 0;
  for await (const slice of list.slices) {
    const opening = at++ ? '' : '[';
    const separator = slice.length && !isFirst ? ',' : '';
    const closing = at === list.sliceCount ? ']' : '';
    if (slice.length) isFirst = false;
    yield Buffer.concat([Buffer.from(opening + separator), slice, Buffer.from(closing)]);
  }
  if (!at) yield Buffer.from('[]');
}

async function* continued(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

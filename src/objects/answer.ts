import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Output } from './query.js';
import type { OpenList } from './read.js';
import { rowWriter } from './row.js';

export const jsonType = 'application/json; charset=utf-8';

/** A list of one slice is sent at once; a longer one at the pace of its reader. The first slice is read before anything is sent, so that its failure is still an error answer. */
export async function sendList(reply: FastifyReply, list: OpenList, output: Output): Promise<FastifyReply> {
  const text = arrayText(list, rowWriter(output));
  const first = await text.next();
  if (list.sliceCount <= 1) return reply.type(jsonType).send(first.value);
  return reply.type(jsonType).send(Readable.from(continued(first.value ?? '', text)));
}

/** A JSON array in as many pieces as there are slices, at least one. */
async function* arrayText(
  list: OpenList,
  write: ReturnType<typeof rowWriter>,
): AsyncGenerator<string, undefined> {
  let isFirst = true;
  let at = 0;
  for await (const slice of list.slices) {
    const separator = isFirst ? '' : ',';
    const opening = at++ ? '' : '[';
    const closing = at === list.sliceCount ? ']' : '';
    if (slice.length) isFirst = false;
    yield `${opening}${slice.length ? separator : ''}${slice.map(write).join(',')}${closing}`;
  }
  if (!at) yield '[]';
}

async function* continued(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

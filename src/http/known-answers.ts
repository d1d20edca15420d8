import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Database, Snapshot } from '../db/pool.js';
import { hasTag } from './reply.js';

/** Whether an answer is what it was, with what was stored at a later time. Rejects where that is not known. */
export type IsStill = (at: Snapshot) => Promise<boolean>;

interface KnownAnswer {
  /** What was stored when it was asked for, or before. */
  at: Snapshot;
  isStill: IsStill;
  headers: OutgoingHttpHeaders & { etag: string };
  body: Buffer;
}

/**
 * Answers to anybody that are known by heart: as long as nothing was committed they are what they were, whoever asks without a
 * token. After a commit who keeps an answer is asked whether it was touched, which takes a part of the time of answering anew.
 */
export interface KnownAnswers {
  /** A server that gives them before anything else is done; all other requests are the app's. */
  serverFactory: FastifyServerFactory;
  /** Keeps what a GET without a token is answered with, to everybody and with a strong ETag. */
  keep(request: FastifyRequest, reply: FastifyReply, body: Buffer, isStill: IsStill): void;
  /** None is given any more. */
  close(): void;
}

/** Whether who asks says nothing of himself: a token in the query is part of the address. */
const isAnybodys = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.authorization === undefined && headers['x-token'] === undefined;

/** `bytes` 0 keeps none. */
export function createKnownAnswers(db: Pick<Database, 'snapshot'>, bytes: number): KnownAnswers {
  const answers = new LRUCache<string, KnownAnswer>({
    maxSize: Math.max(1, bytes),
    sizeCalculation: ({ body }, url) => body.length + 2 * url.length + 1_000,
  });
  let isClosed = bytes === 0;

  /** Whether it has answered. */
  async function answer(url: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const at = await db.snapshot();
    const known = answers.get(url);
    if (!known || (known.at !== at && !(await known.isStill(at)))) return false;
    known.at = at;
    if (hasTag(request.headers['if-none-match'], known.headers.etag)) {
      const { 'content-length': length, 'content-type': type, ...always } = known.headers;
      response.writeHead(304, always).end();
    } else response.writeHead(200, known.headers).end(known.body);
    return true;
  }

  return {
    serverFactory(handle, options) {
      const server = createServer((request, response) => {
        const { url = '' } = request;
        if (isClosed || !answers.has(url) || !isAnybodys(request)) return handle(request, response);
        answer(url, request, response).then(
          (isAnswered) => isAnswered || handle(request, response),
          () => handle(request, response),
        );
      });
      // As Fastify does it, with its defaults.
      const { keepAliveTimeout, requestTimeout, connectionTimeout } = options as Record<string, number>;
      Object.assign(server, { keepAliveTimeout, requestTimeout });
      return server.setTimeout(connectionTimeout);
    },
    keep(request, reply, body, isStill) {
      const { at } = request.caller;
      const headers = reply.getHeaders() as OutgoingHttpHeaders;
      if (isClosed || at === undefined || !isAnybodys(request.raw) || headers.etag === undefined) return;
      const kept = { 'content-length': body.length, ...headers, etag: String(headers.etag) };
      answers.set(request.raw.url!, { at, isStill, headers: kept, body });
    },
    close() {
      isClosed = true;
      answers.clear();
    },
  };
}

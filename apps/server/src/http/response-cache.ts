import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Database, Snapshot } from '@cartulary/database';
import type { FastifyReply, FastifyRequest, FastifyServerFactory } from 'fastify';
import { LRUCache } from 'lru-cache';
import { sessionCookieMark } from './origin.js';
import { hasTag } from './reply.js';

/** Whether a response is unchanged at a later snapshot. Rejects when that cannot be determined. */
export type IsStill = (at: Snapshot) => Promise<boolean>;

interface CachedResponse {
  /** The snapshot of the response, or an earlier one. */
  at: Snapshot;
  isStill: IsStill;
  headers: OutgoingHttpHeaders & { etag: string };
  body: Buffer;
}

/** Whether a request carries no credentials of ours. A token in the query is part of the cache key; cookies of other services on the same host do not count. */
const isAnonymous = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.authorization === undefined &&
  headers['x-token'] === undefined &&
  !headers.cookie?.includes(sessionCookieMark);

/** Estimated bytes of an entry beside its body and its address. */
const entryBytes = 1_000;

/**
 * Caches public responses. An entry is valid as long as nothing is committed. After a commit the route that stored the entry
 * tells whether the commit touched it, which is cheaper than a new response.
 */
export class ResponseCache {
  readonly #db: Pick<Database, 'snapshot'>;
  readonly #responses: LRUCache<string, CachedResponse>;
  #isClosed: boolean;

  /** `maxBytes` 0 caches nothing. */
  constructor(db: Pick<Database, 'snapshot'>, maxBytes: number) {
    this.#db = db;
    this.#isClosed = maxBytes === 0;
    this.#responses = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ body }, url) => body.length + 2 * url.length + entryBytes,
    });
  }

  /** Creates a server that answers from the cache and passes all other requests to the app. */
  createServer(...[handle, options]: Parameters<FastifyServerFactory>): Server {
    const server = createServer((request, response) => {
      const { url = '' } = request;
      if (this.#isClosed || !this.#responses.has(url) || !isAnonymous(request))
        return handle(request, response);
      this.#answer(url, request, response).then(
        (isAnswered) => isAnswered || handle(request, response),
        () => handle(request, response),
      );
    });
    // The settings that Fastify applies to the servers that it creates itself.
    const { keepAliveTimeout, requestTimeout, connectionTimeout } = options as Record<string, number>;
    Object.assign(server, { keepAliveTimeout, requestTimeout });
    return server.setTimeout(connectionTimeout);
  }

  /** Stores the response to a GET without a token. Only public responses with a strong ETag are stored. */
  keep(request: FastifyRequest, reply: FastifyReply, body: Buffer, isStill: IsStill): void {
    const { at } = request.caller;
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    if (this.#isClosed || at === undefined || !isAnonymous(request.raw) || headers.etag === undefined) return;
    const kept = { 'content-length': body.length, ...headers, etag: String(headers.etag) };
    this.#responses.set(request.raw.url!, { at, isStill, headers: kept, body });
  }

  /** Removes all entries; later requests go to the app. */
  close(): void {
    this.#isClosed = true;
    this.#responses.clear();
  }

  /** Answers from the cache. false: no entry is valid, and nothing is sent. */
  async #answer(url: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const at = await this.#db.snapshot();
    const cached = this.#responses.get(url);
    if (!cached || (cached.at !== at && !(await cached.isStill(at)))) return false;
    cached.at = at;
    if (hasTag(request.headers['if-none-match'], cached.headers.etag)) {
      const { 'content-length': length, 'content-type': type, ...always } = cached.headers;
      response.writeHead(304, always).end();
    } else response.writeHead(200, cached.headers).end(cached.body);
    return true;
  }
}

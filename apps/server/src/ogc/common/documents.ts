import type { Database } from '@cartulary/database';
import { digestOf } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { mainLanguage } from '../../access/caller.js';
import type { Config } from '../../config.js';
import { originOf } from '../../http/origin.js';
import { cacheControl, sentUnchanged } from '../../http/reply.js';
import type { ReadContent } from '../../tiles/plan/map-content.js';
import { sentParameters } from './kvp.js';
import { type ServedMap, servedMap } from './map-layers.js';

/** What a capabilities document is written from. */
export interface DocumentOf {
  request: FastifyRequest;
  served: ServedMap;
  map: string;
  /** Address of the service, with a slash at the end, and of the same map in the interface. */
  address: string;
  api: string;
  /** What addresses repeat of the request, such as `lng=ru`. */
  query: string;
  languages: readonly string[];
  version: string;
}

/** Sends the capabilities of a map. */
export type SendCapabilities = (
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: { map: string; lng: string | undefined; version: string },
) => Promise<FastifyReply>;

/** Characters of documents that are kept in memory. */
const keptCharacters = 16 * 1024 * 1024;

interface DocumentParts {
  db: Database;
  config: Config;
  readContent: ReadContent;
}

/** Creates the answer with capabilities. It keeps documents by the versions of the map and of the layers that the caller may view. */
export function createCapabilities(
  parts: DocumentParts,
  { service, type, write }: { service: string; type: string; write(of: DocumentOf): Promise<string> },
): SendCapabilities {
  const documents = new LRUCache<string, string>({
    maxSize: keptCharacters,
    sizeCalculation: ({ length }) => length + 1,
  });
  return async (request, reply, { map, lng, version }) => {
    const { caller, gone } = request;
    const served = await servedMap(parts, { caller, map }, gone);
    const { state } = served;
    const { token } = sentParameters(request) as { token?: string };
    const query = new URLSearchParams({ ...(lng ? { lng } : {}), ...(token ? { token } : {}) }).toString();
    const origin = originOf(request, parts.config);
    const place = `${caller.project.code}/${map}`;
    const address = `${origin}/${service}/${place}/`;
    const languages = [lng ?? mainLanguage(caller), mainLanguage(caller)];
    const key = digestOf(
      JSON.stringify([state.id, state.version, [...state.viewable], address, query, languages, version]),
    );
    reply.header('cache-control', cacheControl(request, state.has_publication));
    if (sentUnchanged(request, reply, `"${key.slice(0, 27)}"`)) return reply;
    const api = `${origin}/api/2.8/${place}`;
    const xml =
      documents.get(key) ?? (await write({ request, served, map, address, api, query, languages, version }));
    documents.set(key, xml);
    return reply.type(type).send(xml);
  };
}

import { type Database, isDataError, sqlState } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { type Caller, mainLanguage } from '../access/caller.js';
import type { Config } from '../config.js';
import { findMap } from '../containers/containers.js';
import { shownName } from '../containers/names.js';
import type { Truncated } from '../http/headers/truncated.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import { countObjects } from '../objects/store.js';
import { type LayerHit, type ObjectHit, orderedHits } from './order.js';
import { readSearchable, type Searchable, type SearchSource, type SourceLimits } from './sources.js';
import { type FoundRow, findStatement, type SearchStep } from './statements.js';
import { type Phrase, type Priority, rank, readPhrase, searchText } from './words.js';

export type { LayerHit, ObjectHit } from './order.js';

export interface SearchRequest {
  caller: Caller;
  /** The code of the map. */
  map: string;
  phrase: string;
  lang: string;
  limit: number;
  /** Whether the service set or lowered the limit. */
  isLimited: boolean;
}

/** The results, and the layers that have more. */
export interface SearchAnswer {
  hits: (LayerHit | ObjectHit)[];
  truncated: Truncated[];
}

export interface SearchLimits extends SourceLimits {
  searchScan: number;
}

/** The limits of searches in an installation. */
export const searchLimits = (config: Config, engine: Database['engine']): SearchLimits => ({
  ...config,
  indexedFrom: config.searchIndexedKiB,
  indexedTo: engine === 'embedded' ? config.searchEmbeddedMiB * 1024 : Number.POSITIVE_INFINITY,
});

/** Makes the indexes that searches of a map need, before the first search. Resolves when they exist. */
export async function prepareSearch(
  { db, indexer, limits }: { db: Database; indexer: Indexer; limits: SearchLimits },
  { caller, map: code }: Pick<SearchRequest, 'caller' | 'map'>,
): Promise<void> {
  const map = await findMap(db, caller, code, 'view');
  const { sources } = await readSearchable(db, { caller, map, limits });
  await indexer.make(sources.flatMap(({ missing }) => missing));
}

interface Search {
  db: Database;
  request: SearchRequest;
  phrase: Phrase;
  scan: number;
  signal: AbortSignal | undefined;
}

/** Fewest objects of a layer that a step reads, so that the first by value are found for a word that many objects have. */
const scanMinimum = 300;
/** Sources in one statement. */
const sourcesPerStatement = 8;

/**
 * The layers and objects of a map that match a phrase and that the caller may view, best first, at most `limit`. Objects are
 * searched in three steps, each for the places that the one before left open. The first step ends with the source that fills
 * the limit. A phrase without words finds nothing. Throws 404, 403.
 */
export async function search(
  at: { db: Database; indexer: Indexer; limits: SearchLimits },
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const { db, indexer, limits } = at;
  const map = await findMap(db, request.caller, request.map, 'view');
  const phrase = readPhrase(request.phrase);
  if (!phrase || request.limit === 0) return { hits: [], truncated: [] };
  const work = { db, request, phrase, scan: limits.searchScan, signal };
  for (let attempt = 0; ; attempt++) {
    const searchable = await readSearchable(db.heavy, { caller: request.caller, map, limits }, signal);
    for (const { missing } of searchable.sources) indexer.make(missing);
    try {
      const found = orderedHits([
        ...searchLayers(searchable, work),
        ...(await searchObjects(searchable.sources, work)),
      ]);
      const hits = found.slice(0, request.limit);
      const unread = await unreadOf(searchable.sources, work);
      const unshown = request.isLimited ? unshownOf(found, hits) : [];
      const others = unshown.filter(({ code }) => !unread.some((one) => one.code === code));
      return { hits, truncated: [...unread, ...others] };
    } catch (error) {
      if (!hasChanged(error)) throw error;
      if (attempt > 0) throw new ServiceError('busy', 'The structure of a layer has just changed; try again');
    }
  }
}

/** The layers without indexes that have more objects than the search reads: how many it read, of how many. */
async function unreadOf(
  sources: readonly SearchSource[],
  { db, scan, signal }: Search,
): Promise<Truncated[]> {
  const large = new Map(
    sources
      .filter(({ isIndexed, size }) => !isIndexed && (size === null || size > scan * smallestRowBytes))
      .map(({ layer }) => [layer.code, layer]),
  );
  const unread: Truncated[] = [];
  for (const [code, layer] of large) {
    const of = await countObjects(db.heavy, layer, false, signal).catch((error) => {
      if (!isDataError(error.cause ?? error)) throw error;
      return 0;
    });
    if (of > scan) unread.push({ code, kept: scan, of });
  }
  return unread;
}

/** Bytes of the smallest object in a table. */
const smallestRowBytes = 24;

/** The layers with more matching objects than the answer shows. */
function unshownOf(
  found: readonly (LayerHit | ObjectHit)[],
  shown: readonly (LayerHit | ObjectHit)[],
): Truncated[] {
  const countOf = (hits: typeof found, code: string): number =>
    hits.filter(({ type, layer }) => type === 'object' && layer.code === code).length;
  const codes = new Set(found.filter(({ type }) => type === 'object').map(({ layer }) => layer.code));
  return [...codes]
    .map((code) => ({ code, kept: countOf(shown, code), of: countOf(found, code) }))
    .filter(({ kept, of }) => kept < of);
}

/** Whether a layer or column was deleted or changed after it was read. */
const hasChanged = (error: unknown): boolean =>
  ['42P01', '42703', '42804', '42883'].includes(sqlState(error) ?? '');

function searchLayers({ layers }: Searchable, { request, phrase }: Search): LayerHit[] {
  const languages = [request.lang, mainLanguage(request.caller)];
  return layers.flatMap((layer): LayerHit[] => {
    const name = shownName(layer, languages);
    const text = searchText(name);
    const found = rank(phrase, [text]);
    return found ? [{ type: 'layer', priority: found.priority, layer, name, text }] : [];
  });
}

/** The priority of results that a step finds for certain. */
const sought: Record<SearchStep, Priority> = { same: 30, all: 20, some: 10 };

async function searchObjects(sources: readonly SearchSource[], work: Search): Promise<ObjectHit[]> {
  const { phrase, request } = work;
  const hits = new Map<string, ObjectHit>();
  const steps: SearchStep[] = phrase.needles.length > 1 ? ['same', 'all', 'some'] : ['same', 'all'];
  for (const step of steps) {
    const hasEnough = (): boolean =>
      [...hits.values()].filter(({ priority }) => priority >= sought[step]).length >= request.limit;
    // A source without indexes has given all its results in the first step.
    const asked = step === 'same' ? sources : sources.filter(({ isIndexed }) => isIndexed);
    for (let from = 0; from < asked.length; from += sourcesPerStatement) {
      const part = asked.slice(from, from + sourcesPerStatement);
      const found = await find(part, step, work);
      for (const [index, source] of part.entries()) {
        keepHits(
          hits,
          source,
          found.filter((row) => row.source === index),
          phrase,
        );
        if (step === 'same' && hasEnough()) return [...hits.values()];
      }
    }
    if (hasEnough()) break;
  }
  return [...hits.values()];
}

/** Runs a step. A layer whose query fails on its data gives no results. */
async function find(sources: readonly SearchSource[], step: SearchStep, work: Search): Promise<FoundRow[]> {
  const { db, request, phrase, scan, signal } = work;
  const { lang, limit, caller } = request;
  const most = Math.max(scanMinimum, limit);
  const question = { phrase, step, lang, main: mainLanguage(caller), limit: most, scan };
  try {
    return await db.heavy.query<FoundRow>(findStatement(sources, question), signal);
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (sources.length === 1) return [];
    const each = await Promise.all(sources.map((source) => find([source], step, work)));
    return each.flatMap((found, source) => found.map((row) => ({ ...row, source })));
  }
}

/** Keeps the better priority of an object that several settings find. */
function keepHits(
  hits: Map<string, ObjectHit>,
  source: SearchSource,
  found: readonly FoundRow[],
  phrase: Phrase,
): void {
  for (const row of found) {
    const hit = hitOf(source, row, phrase);
    const key = `${source.layer.id}/${row.id}`;
    const known = hits.get(key);
    if (hit && (!known || known.priority < hit.priority)) hits.set(key, hit);
  }
}

function hitOf(source: SearchSource, { id, name, values }: FoundRow, phrase: Phrase): ObjectHit | undefined {
  const texts = values.map((value) => (value === null ? '' : searchText(value)));
  const found = rank(phrase, texts);
  if (!found) return undefined;
  const { best, priority } = found;
  const { layer, columns } = source;
  return {
    type: 'object',
    priority,
    layer,
    id,
    name,
    nameColumn: source.name,
    column: columns[best]!,
    value: values[best]!,
    searched: columns.map((column, i) => ({ column, value: values[i] ?? null })),
    text: texts[best]!,
  };
}

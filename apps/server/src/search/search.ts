import { type Caller, mainLanguage } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { shownName } from '../containers/names.js';
import { type Database, failsOnData, sqlState } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { Indexer } from '../layers/indexer.js';
import { inOrder, type LayerHit, type ObjectHit } from './order.js';
import { readSearchable, type Searchable, type Source, type SourceLimits } from './sources.js';
import { type Found, findStatement, type Step } from './statements.js';
import { type Phrase, type Priority, rank, readPhrase, searchText } from './words.js';

export type { LayerHit, ObjectHit } from './order.js';

export interface SearchRequest {
  caller: Caller;
  /** The code of the map. */
  map: string;
  phrase: string;
  lang: string;
  limit: number;
}

export interface SearchLimits extends SourceLimits {
  searchScan: number;
}

interface Search {
  db: Database;
  request: SearchRequest;
  phrase: Phrase;
  scan: number;
  signal: AbortSignal | undefined;
}

/** Fewest objects of a layer that are read for a step, so that those of a word that many have are the first by value among more than are shown. */
const fewest = 300;
/** Sources of one statement. */
const batch = 8;

/**
 * The layers and objects of a map that match a phrase, best first, at most `limit`: only what the caller may view. Objects
 * are asked for in three steps, each for what the one before has left open; the first ends with the source that makes
 * them enough. A phrase without words finds nothing. Throws 404, 403.
 */
export async function search(
  at: { db: Database; indexer: Indexer; limits: SearchLimits },
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<(LayerHit | ObjectHit)[]> {
  const { db, indexer, limits } = at;
  const map = await findMap(db, request.caller, request.map, 'view');
  const phrase = readPhrase(request.phrase);
  if (!phrase || request.limit === 0) return [];
  const work = { db, request, phrase, scan: limits.searchScan, signal };
  for (let attempt = 0; ; attempt++) {
    const searchable = await readSearchable(db.heavy, { caller: request.caller, map, limits }, signal);
    for (const { missing } of searchable.sources) indexer.make(missing);
    try {
      const hits = [...searchLayers(searchable, work), ...(await searchObjects(searchable.sources, work))];
      return inOrder(hits).slice(0, request.limit);
    } catch (error) {
      if (!hasChanged(error)) throw error;
      if (attempt > 0) throw new ServiceError('busy', 'The structure of a layer has just changed; try again');
    }
  }
}

/** A layer or column has gone, or become another, since it was read. */
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

/** Which priority a result must have for a step to be enough. */
const sought: Record<Step, Priority> = { same: 30, all: 20, some: 10 };

async function searchObjects(sources: readonly Source[], work: Search): Promise<ObjectHit[]> {
  const { phrase, request } = work;
  const hits = new Map<string, ObjectHit>();
  const steps: Step[] = phrase.needles.length > 1 ? ['same', 'all', 'some'] : ['same', 'all'];
  for (const step of steps) {
    const hasEnough = (): boolean =>
      [...hits.values()].filter(({ priority }) => priority >= sought[step]).length >= request.limit;
    // What has no indices has said all that it knows in the first step.
    const asked = step === 'same' ? sources : sources.filter(({ isIndexed }) => isIndexed);
    for (let from = 0; from < asked.length; from += batch) {
      const part = asked.slice(from, from + batch);
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

/** A layer whose query fails on its data has nothing that could be found. */
async function find(sources: readonly Source[], step: Step, work: Search): Promise<Found[]> {
  const { db, request, phrase, scan, signal } = work;
  const { lang, limit, caller } = request;
  const most = Math.max(fewest, limit);
  const question = { phrase, step, lang, main: mainLanguage(caller), limit: most, scan };
  try {
    return await db.heavy.query<Found>(findStatement(sources, question), signal);
  } catch (error) {
    if (!failsOnData(error)) throw error;
    if (sources.length === 1) return [];
    const each = await Promise.all(sources.map((source) => find([source], step, work)));
    return each.flatMap((found, source) => found.map((row) => ({ ...row, source })));
  }
}

/** An object that is found again, by another of the settings, keeps its better priority. */
function keepHits(
  hits: Map<string, ObjectHit>,
  source: Source,
  found: readonly Found[],
  phrase: Phrase,
): void {
  for (const row of found) {
    const hit = hitOf(source, row, phrase);
    const key = `${source.layer.id}/${row.id}`;
    const known = hits.get(key);
    if (hit && (!known || known.priority < hit.priority)) hits.set(key, hit);
  }
}

function hitOf(source: Source, { id, name, values }: Found, phrase: Phrase): ObjectHit | undefined {
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
    text: texts[best]!,
  };
}

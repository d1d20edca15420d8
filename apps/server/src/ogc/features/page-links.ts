import type { FastifyRequest } from 'fastify';
import { type ObjectQuery, type OpenList, writeCursor } from '../../objects/store.js';
import { type Link, mediaTypes, selfWith } from '../common/addresses.js';
import { wantsPage } from '../common/requests.js';
import type { ItemParameters } from './items-query.js';

/** Whether a page begins at the beginning of its list. */
export const isAtStart = ({ cursor }: ObjectQuery): boolean => cursor?.id === Number.MIN_SAFE_INTEGER;

/** What a page says of those before and behind it. */
interface LinkedPage {
  query: ObjectQuery;
  found: Pick<OpenList<unknown>, 'hasMore' | 'cursor'>;
  /** How many pages before the cursor of the request it lies. */
  before: number;
}

type Place = Readonly<Record<'cursor' | 'before' | 'skip' | 'offset' | 'limit', string | undefined>>;

/**
 * The links to the pages before and behind. Values that a list is sorted by may be too long for a cursor: such a page lies
 * so many features behind the cursor of the request, or so many pages before it.
 */
export function pageLinks(base: string, request: FastifyRequest, page: LinkedPage): Link[] {
  const type = wantsPage(request) ? mediaTypes.html : mediaTypes.geojson;
  const own = request.query as ItemParameters;
  const places = { next: placeBehind(page, own), prev: placeBefore(page, own) };
  return Object.entries(places).flatMap(([rel, place]) =>
    place ? { href: selfWith(base, request, place), rel, type } : [],
  );
}

const none = { cursor: undefined, before: undefined, skip: undefined, offset: undefined } as const;
const countOf = (count: number): string | undefined => (count > 0 ? String(count) : undefined);

function placeBehind(
  { query: { offset, limit }, found: { cursor, hasMore }, before }: LinkedPage,
  own: ItemParameters,
): Partial<Place> | undefined {
  if (cursor !== undefined) return { ...none, cursor };
  if (!hasMore) return undefined;
  if (before) return { before: countOf(before - 1) };
  return own.cursor ? { skip: String(offset + limit) } : { ...none, offset: String(offset + limit) };
}

function placeBefore({ query, before }: LinkedPage, own: ItemParameters): Partial<Place> | undefined {
  const { offset, limit, cursor, sort } = query;
  if (offset) {
    const start = Math.max(0, offset - limit);
    if (own.cursor) return { skip: countOf(start), ...(offset < limit && { limit: String(offset) }) };
    // The first page ends where this one begins.
    return { offset: String(start), ...(offset < limit && { limit: String(offset) }) };
  }
  if (!own.cursor || !cursor || isAtStart(query)) return undefined;
  const at = writeCursor(cursor, sort);
  return at === undefined ? { before: String(before + 1) } : { cursor: at, before: '1' };
}

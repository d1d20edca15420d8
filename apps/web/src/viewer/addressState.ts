import { type Filters, parseFilters } from './filters/filters.js';
import type { ObjectKey } from './types.js';

/** The state in the query of the address: the open object and changed layers. The view is in the fragment. */
export interface AddressState {
  object: ObjectKey | null;
  /** Codes of layers that are switched on or off, other than at the start. */
  on: readonly string[];
  off: readonly string[];
  filters: Filters;
}

const codes = (text: string | null): string[] => (text ? text.split(',').filter(Boolean) : []);

/** Whether the page is a bare map for a frame of another page (`?embed`). */
export const isEmbedded = (): boolean => new URLSearchParams(location.search).has('embed');

/** Reads the state from a query; invalid parts are ignored. */
export function readAddress(search: string): AddressState {
  const query = new URLSearchParams(search);
  const [, layer, id] = /^([\w-]{1,63})\/(\d{1,15})$/.exec(query.get('object') ?? '') ?? [];
  return {
    object: layer && id ? { layer, id: Number(id) } : null,
    on: codes(query.get('on')),
    off: codes(query.get('off')),
    filters: parseFilters(query.get('filter')),
  };
}

/** The address with a new state and otherwise unchanged. Commas and slashes stay unescaped to keep it readable. */
function withState(url: URL, { object, on, off, filters }: AddressState): string {
  const query = new URLSearchParams(url.search);
  for (const name of ['object', 'on', 'off', 'filter']) query.delete(name);
  const parts = [query.toString().replace(/^embed=(&|$)/, 'embed$1')];
  if (on.length) parts.push(`on=${on.map(encodeURIComponent).join(',')}`);
  if (off.length) parts.push(`off=${off.map(encodeURIComponent).join(',')}`);
  if (Object.keys(filters).length) parts.push(`filter=${encodeURIComponent(JSON.stringify(filters))}`);
  if (object) parts.push(`object=${encodeURIComponent(object.layer)}/${object.id}`);
  const search = parts.filter(Boolean).join('&');
  return url.pathname + (search ? `?${search}` : '') + url.hash;
}

/** Writes the state into the address. Adds a history entry unless the change is from one open object to another. */
export function writeAddress(state: AddressState): void {
  const before = readAddress(location.search);
  const next = withState(new URL(location.href), state);
  if (next === location.pathname + location.search + location.hash) return;
  const isStep =
    (before.object === null) !== (state.object === null) ||
    before.on.join() !== state.on.join() ||
    before.off.join() !== state.off.join();
  if (isStep) history.pushState(null, '', next);
  else history.replaceState(history.state, '', next);
}

/** The view in a fragment `#zoom/latitude/longitude`; null without a valid one. */
export function readView(hash: string): { zoom: number; lat: number; lon: number } | null {
  const [zoom, lat, lon] = hash.replace(/^#/, '').split('/').map(Number);
  return [zoom, lat, lon].every((value) => value !== undefined && Number.isFinite(value))
    ? { zoom: zoom!, lat: lat!, lon: lon! }
    : null;
}

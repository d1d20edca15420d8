import { greatest, groupBy, least } from './collections.js';
import type { Definition } from './selectors.js';
import type { Setting } from './settings.js';
import { allZooms } from './zoom.js';

interface Span {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

/**
 * The symbolizers of an attachment in the groups that can be worked out apart, in the order of drawing. A symbolizer is
 * drawn at the place of its first effective setting, which can differ between features; those whose places can overlap
 * belong together. All of them do when one is switched off as a whole (`line: none`), which depends on the others.
 */
export function clusterKeys(definitions: readonly Definition[]): ReadonlySet<string>[] {
  const spans = spansOf(definitions).sort((a, b) => a.low - b.low);
  const presence = definitions.some(({ settings }) =>
    settings.some((setting) => setting.property.type.kind === 'presence'),
  );
  if (presence) return [new Set(spans.map((span) => span.key))];
  const clusters: Set<string>[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { key, low, high } of spans) {
    if (low > end) clusters.push(new Set([key]));
    else clusters.at(-1)?.add(key);
    end = Math.max(end, high);
  }
  return clusters;
}

function spansOf(definitions: readonly Definition[]): Span[] {
  const byKey = new Map<string, { setting: Setting; always: boolean }[]>();
  for (const { conditions, zooms, settings } of definitions) {
    const always = conditions.length === 0 && zooms === allZooms;
    for (const setting of settings) {
      if (setting.property.symbolizer === 'style') continue;
      const list = byKey.get(setting.key);
      if (list === undefined) byKey.set(setting.key, [{ setting, always }]);
      else list.push({ setting, always });
    }
  }
  return [...byKey].map(([key, list]) => ({
    key,
    low: least(list.map(({ setting }) => setting.at)),
    high: highestPlace(list),
  }));
}

/** A property that is always set somewhere keeps the symbolizer at or before the last place where it is set. */
function highestPlace(list: readonly { setting: Setting; always: boolean }[]): number {
  let high = greatest(list.map(({ setting }) => setting.at));
  for (const members of groupBy(list, ({ setting }) => setting.property.name).values()) {
    if (!members.some(({ always }) => always)) continue;
    high = Math.min(high, greatest(members.map(({ setting }) => setting.at)));
  }
  return high;
}

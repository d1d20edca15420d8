import { groupBy, maximum, minimum } from '../mapnik/collections.js';
import type { Setting } from '../values/settings.js';
import type { Definition } from './selectors.js';
import { allZooms } from './zoom.js';

interface Span {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

/**
 * Groups the symbolizers of an attachment that need a common list of rules, in drawing order. A symbolizer is drawn at the
 * place of its first effective setting, which may differ between features; symbolizers with overlapping places form a
 * group. If one can be switched off (`line: none`), all form one group, since this depends on the others.
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
    low: minimum(list.map(({ setting }) => setting.at)),
    high: highestPlace(list),
  }));
}

/** The last possible place of a symbolizer. An unconditional property keeps it at or before the last setting of this property. */
function highestPlace(list: readonly { setting: Setting; always: boolean }[]): number {
  let high = maximum(list.map(({ setting }) => setting.at));
  for (const members of groupBy(list, ({ setting }) => setting.property.name).values()) {
    if (!members.some(({ always }) => always)) continue;
    high = Math.min(high, maximum(members.map(({ setting }) => setting.at)));
  }
  return high;
}

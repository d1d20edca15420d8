import { useEffect, useRef, useState } from 'react';
import type { Filters } from './filters/filters.js';
import { objectOf, objectsAt } from './objects.js';
import type { TreeItem } from './tree.js';
import type { Hit, HitList, MapAddress, ObjectKey, PointedPlace } from './types.js';

/** A position, or an object chosen from search results or the address. */
export type Target =
  | { place: PointedPlace }
  /** `keepsView`: opening the object does not move the map. */
  | { chosen: ObjectKey; keepsView?: boolean };

/** The target and its objects. */
export interface Pointing {
  target: Target | null;
  state: 'idle' | 'asking' | 'answered';
  busy: boolean;
  hits: readonly Hit[];
  /** Names of layers whose request failed. */
  failed: readonly string[];
  index: number;
  point: (target: Target) => void;
  /** Selects another hit; wraps at both ends. */
  step: (by: number) => void;
  clear: () => void;
}

interface PointingContext {
  map: MapAddress;
  /** The layers of the map. */
  items: readonly TreeItem[];
  /** Visible layers, topmost first. */
  layers: readonly TreeItem[];
  filters: Filters;
  language: string;
}

const nothing = { state: 'idle' as const, busy: false, hits: [], failed: [], index: 0 };

/** Requests the objects of the last target, and again when the language changes. */
export function usePointing(context: PointingContext): Pointing {
  const [target, setTarget] = useState<Target | null>(null);
  const [found, setFound] = useState<Omit<Pointing, 'target' | 'point' | 'step' | 'clear'>>(nothing);
  const latest = useRef(context);
  latest.current = context;
  const { language } = context;
  useEffect(() => {
    if (!target) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onBusy = (busy: boolean): void => {
      if (!signal.aborted) setFound((before) => ({ ...before, busy }));
    };
    const { map, layers, filters, items } = latest.current;
    setFound((before) => ({ ...before, state: 'asking', failed: [] }));
    const options = { signal, onBusy };
    const request =
      'place' in target
        ? objectsAt({ place: target.place, map, layers, filters, language }, options)
        : objectOf({ key: target.chosen, map, items, language }, options);
    request.then(
      ({ hits, failed }: HitList) =>
        setFound((before) => ({
          ...nothing,
          state: 'answered',
          hits,
          failed,
          index: Math.min(before.index, Math.max(hits.length - 1, 0)),
        })),
      () => {}, // aborted because of a newer request
    );
    return () => controller.abort();
  }, [target, language]);
  return {
    ...found,
    target,
    point: (next) => {
      setFound(nothing);
      setTarget(next);
    },
    step: (by) =>
      setFound((before) => ({
        ...before,
        index: (before.index + by + before.hits.length) % before.hits.length,
      })),
    clear: () => {
      setFound(nothing);
      setTarget(null);
    },
  };
}

import { useEffect, useRef, useState } from 'react';
import type { PointedPlace } from './mapView.js';
import { type Answer, type Hit, type MapAddress, objectsAt } from './objects.js';
import { type FoundObject, objectOf } from './search.js';
import type { TreeItem } from './tree.js';

/** Where the reader pointed, or what was chosen from the results of a search. */
export type Target = { place: PointedPlace } | { chosen: FoundObject };

/** What is known about the target. */
export interface Pointing {
  target: Target | null;
  state: 'idle' | 'asking' | 'answered';
  busy: boolean;
  hits: readonly Hit[];
  /** Names of layers that gave no answer. */
  failed: readonly string[];
  index: number;
  point: (target: Target) => void;
  /** To another of the hits, around the ends. */
  step: (by: number) => void;
  clear: () => void;
}

interface PointingContext {
  map: MapAddress;
  /** The layers of the map. */
  items: readonly TreeItem[];
  /** Those that are on, the topmost first. */
  layers: readonly TreeItem[];
  language: string;
}

const nothing = { state: 'idle' as const, busy: false, hits: [], failed: [], index: 0 };

/** Asks for the objects of the last target, and again when the language changes. */
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
    const { map, layers, items } = latest.current;
    setFound((before) => ({ ...before, state: 'asking', failed: [] }));
    const options = { signal, onBusy };
    const answer =
      'place' in target
        ? objectsAt({ place: target.place, map, layers, language }, options)
        : objectOf({ chosen: target.chosen, map, items, language }, options);
    answer.then(
      ({ hits, failed }: Answer) =>
        setFound((before) => ({
          ...nothing,
          state: 'answered',
          hits,
          failed,
          index: Math.min(before.index, Math.max(hits.length - 1, 0)),
        })),
      () => {}, // aborted: another question has taken its place
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

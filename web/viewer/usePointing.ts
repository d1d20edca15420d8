import { useEffect, useRef, useState } from 'react';
import type { PointedPlace } from './mapView.js';
import { type Answer, type Hit, type MapAddress, objectsAt } from './objects.js';
import type { TreeItem } from './tree.js';

/** What is known about the place that the reader pointed at. */
export interface Pointing {
  place: PointedPlace | null;
  state: 'idle' | 'asking' | 'answered';
  busy: boolean;
  hits: readonly Hit[];
  /** Names of layers that gave no answer. */
  failed: readonly string[];
  index: number;
  point: (place: PointedPlace) => void;
  /** To another of the hits, around the ends. */
  step: (by: number) => void;
  clear: () => void;
}

interface PointingContext {
  map: MapAddress;
  /** The layers that are on, the topmost first. */
  layers: readonly TreeItem[];
  language: string;
}

const nothing = { state: 'idle' as const, busy: false, hits: [], failed: [], index: 0 };

/** Asks for the objects at the place last pointed at, and again when the language changes. */
export function usePointing(context: PointingContext): Pointing {
  const [place, setPlace] = useState<PointedPlace | null>(null);
  const [found, setFound] = useState<Omit<Pointing, 'place' | 'point' | 'step' | 'clear'>>(nothing);
  const latest = useRef(context);
  latest.current = context;
  const { language } = context;
  useEffect(() => {
    if (!place) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onBusy = (busy: boolean): void => {
      if (!signal.aborted) setFound((before) => ({ ...before, busy }));
    };
    const { map, layers } = latest.current;
    setFound((before) => ({ ...before, state: 'asking', failed: [] }));
    objectsAt({ place, map, layers, language }, { signal, onBusy }).then(
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
  }, [place, language]);
  return {
    ...found,
    place,
    point: (next) => {
      setFound(nothing);
      setPlace(next);
    },
    step: (by) =>
      setFound((before) => ({
        ...before,
        index: (before.index + by + before.hits.length) % before.hits.length,
      })),
    clear: () => {
      setFound(nothing);
      setPlace(null);
    },
  };
}

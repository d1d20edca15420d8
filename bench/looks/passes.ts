import { numbers } from '@cartulary/server/support/hexagons.js';
import { type Tile, tileAt, type View, viewAt } from '../data/tiles.js';
import type { Position } from './data/data-set.js';
import type { Zooms } from './look.js';

/** How tiles are requested: those of map views, or single ones at random positions. */
export type Asking = 'views' | 'singles';

/** Tiles that a side gets before its time is looked at: as many of each zoom level. */
export interface Pass {
  views: readonly View[];
  /** Whether tiles of earlier passes occur again, so that no cache may hold them. */
  isFresh: boolean;
}

/** Views per zoom level of a pass, or single tiles. At low zoom levels the world has no more views that lie apart. */
const perZoom = { views: (z: number): number => (z <= 5 ? 1 : 3), singles: () => 20 } as const;
const triesPerItem = 40;
/** Single tiles requested at once by one user: as many as a view has. */
const groupSize = 20;
/** Side in tiles of squares that no two views share, so that metatiles of one view never contain tiles of another. */
const block = 4;

/** Makes the passes of a round: the same ones for the same seed. */
export function passesOf(
  places: readonly Position[],
  asking: Asking,
  { zooms: [from, to], seed }: { zooms: Zooms; seed: number },
): () => Pass {
  const next = numbers(seed);
  const taken = new Set<string>();
  const find = asking === 'views' ? viewFinder(places, next) : tileFinder(places, next);
  const collect = (): { found: View[]; isComplete: boolean } => {
    const found: View[] = [];
    let isComplete = true;
    for (let z = from; z <= to; z++) {
      const wanted = perZoom[asking](z);
      const ofZoom = Array.from({ length: wanted }, () => find(z, taken)).filter(
        (view) => view !== undefined,
      );
      found.push(...ofZoom);
      isComplete &&= ofZoom.length === wanted;
    }
    return { found, isComplete };
  };
  let isFirst = true;
  return () => {
    let isFresh = isFirst;
    isFirst = false;
    let { found, isComplete } = collect();
    if (!isComplete && !isFresh) {
      taken.clear();
      isFresh = true;
      ({ found, isComplete } = collect());
    }
    return { views: asking === 'views' ? found : grouped(found.flat(), next), isFresh };
  };
}

type Finder = (z: number, taken: Set<string>) => View | undefined;

/** Takes what has none of its keys taken. */
function finder(make: (z: number) => { view: View; keys: readonly string[] }): Finder {
  return (z, taken) => {
    for (let tries = 0; tries < triesPerItem; tries++) {
      const { view, keys } = make(z);
      if (keys.some((key) => taken.has(key))) continue;
      for (const key of keys) taken.add(key);
      return view;
    }
    return undefined;
  };
}

const placeIn = (places: readonly Position[], next: () => number): Position =>
  places[Math.min(places.length - 1, Math.floor(next() * places.length))]!;

const viewFinder = (places: readonly Position[], next: () => number): Finder =>
  finder((z) => {
    const { x, y } = tileAt(z, ...placeIn(places, next));
    const view = viewAt(z, x - Math.floor(next() * 5), y - Math.floor(next() * 4));
    const keys = new Set(
      view.map((tile) => `${z}/${Math.floor(tile.x / block)}/${Math.floor(tile.y / block)}`),
    );
    return { view, keys: [...keys] };
  });

const tileFinder = (places: readonly Position[], next: () => number): Finder =>
  finder((z) => {
    const tile = tileAt(z, ...placeIn(places, next));
    return { view: [tile], keys: [`${z}/${tile.x}/${tile.y}`] };
  });

/** Groups of tiles in random order. */
function grouped(tiles: readonly Tile[], next: () => number): View[] {
  const mixed = tiles
    .map((tile) => ({ tile, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ tile }) => tile);
  return Array.from({ length: Math.ceil(mixed.length / groupSize) }, (_, i) =>
    mixed.slice(groupSize * i, groupSize * (i + 1)),
  );
}

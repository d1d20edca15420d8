import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import type { Database, Snapshot } from '../db/pool.js';
import type { ExternalPictures } from '../external/pictures.js';
import type { IconFiles } from '../icons/icons.js';
import type { FileStorage } from '../storage/storage.js';
import type { LayerVersion } from './cache/change-log.js';
import { type Drawing, makeDrawing, originsOf, type SpeckedSheet } from './drawing.js';
import { drawnLayers, withBase } from './drawn-layers.js';
import type { DrawnSource } from './reads.js';
import { createContentReader, type MapState, mapState } from './sources.js';
import type { ChunkGrid } from './specks/chunk.js';
import type { SpeckLayers } from './specks/speck-layers.js';

/** A tile request after its checks; `y` counts from the north. */
export interface TileRequest {
  z: number;
  x: number;
  y: number;
  base: boolean;
  /** Ids of layers or items in drawing order; undefined: the selected ones of the publication tree. */
  layers: readonly number[] | undefined;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
  /** undefined: as the folders of the layers say. */
  palette: boolean | undefined;
  lng: string;
  main: string;
}

export interface TilePlan extends Omit<Drawing, 'specked'> {
  /** Of all that the picture depends on but its place and the data. */
  key: string;
  /** The layers of `reads` with their data versions, read before the data are. */
  sources: readonly (DrawnSource & LayerVersion)[];
  /** Whether the public may view the map. */
  isPublic: boolean;
  /** Whether the picture has a limited palette. */
  palette: boolean;
  /** How it is drawn in less time, where it can be. Asked when it is drawn, since it may wait for what is made for that. */
  specked(signal: AbortSignal): Promise<SpeckedSheet | undefined>;
}

export type PlanTile = (
  caller: Caller,
  map: string,
  request: TileRequest,
  how?: { signal?: AbortSignal; at?: Snapshot | undefined },
) => Promise<TilePlan>;

/** What drawings are made of. */
export interface DrawingParts {
  db: Database;
  storage: Pick<FileStorage, 'path'>;
  icons: Pick<IconFiles, 'of'>;
  /** Says which external layers are drawn; absent: none. */
  pictures?: Pick<ExternalPictures, 'draws'> | undefined;
  /** Says of which layers the smallest objects are drawn apart; absent: of none. */
  specks?: SpeckLayers | undefined;
}

/** Characters of Mapnik XML that are kept in memory. */
const keptCharacters = 16 * 1024 * 1024;

/**
 * Plans tiles: one query, and no more for a map that has not changed since the last time. Throws 404, 403, 400 for an
 * unknown layer, `style_invalid`.
 */
export function createPlanner({ db, storage, icons, pictures, specks }: DrawingParts): PlanTile {
  const origins = originsOf(db, storage, pictures);
  const readContent = createContentReader(db, icons);
  const drawings = new LRUCache<string, Drawing>({
    maxSize: keptCharacters,
    sizeCalculation: (drawing) => 500 + lengthOf(drawing) + (drawing.specked ? lengthOf(drawing.specked) : 0),
  });
  /** The last of each: those of the tiles of a view are one. */
  const plans = new WeakMap<Drawing, { state: MapState; plan: TilePlan }>();

  return async (caller, map, request, { signal, at } = {}) => {
    const state = await mapState(db, caller, map, at);
    const content = await readContent(state, signal);
    const named = drawnLayers(request.layers, state.viewable, content);
    const ids = withBase(named, request.base, state.viewable, content);
    const palette = request.palette ?? (ids.length > 0 && ids.every((id) => content.limited?.has(id)));
    const { z, base, scale, lng, main } = request;
    const about = [state.id, state.version, state.icons_version, ids, z, base, scale, lng, main];
    const drawingWith = (apart?: ReadonlyMap<number, ChunkGrid>): Drawing => {
      const key = JSON.stringify([...about, apart && [...apart]]);
      const known = drawings.get(key);
      if (known) return known;
      const drawing = makeDrawing({ ...request, specks: apart }, ids, content, origins);
      drawings.set(key, drawing);
      return drawing;
    };
    const drawing = drawingWith();
    const last = plans.get(drawing);
    if (last?.state === state && last.plan.palette === palette) return last.plan;
    const key = `${drawing.pictureKey}/${request.scale}/${palette ? 'palette' : 'full'}`;
    const versionOf = (id: number): number => state.viewable.get(id)!;
    const sources = drawing.reads.map((one) => ({ version: versionOf(one.id), ...one }));
    const level = levelOf(request);
    const specked = async (signal: AbortSignal): Promise<SpeckedSheet | undefined> => {
      if (!specks || level === undefined) return undefined;
      const layers = ids.filter((id) => content.layers.get(id)!.type === 'layer');
      const versions = layers.map((id): LayerVersion => ({ id, version: versionOf(id) }));
      const worth = await specks.worthAt(level, versions, signal);
      return worth.size ? drawingWith(worth).specked : undefined;
    };
    const plan = { key, sources, palette, isPublic: state.has_publication, ...drawing, specked };
    plans.set(drawing, { state, plan });
    return plan;
  };
}

/** Characters of the XML of a sheet, about. */
const lengthOf = ({ xml, above }: Pick<Drawing, 'xml' | 'above'>): number =>
  above.reduce((sum, pass) => sum + ('xml' in pass ? pass.xml.length : 5000), xml.length);

/** The level of which a pixel is as large as one of the picture; undefined where it lies between two. */
function levelOf({ z, scale }: Pick<TileRequest, 'z' | 'scale'>): number | undefined {
  const level = z + Math.log2(scale);
  return Number.isInteger(level) ? level : undefined;
}

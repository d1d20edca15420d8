import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import type { ConnectionTarget, Database } from '../db/pool.js';
import type { ExternalPictures } from '../external/pictures.js';
import { type ExternalSource, sourceOf } from '../external/source.js';
import { demandRunning, isExternal, isRaster } from '../layers/layers.js';
import type { FileStorage } from '../storage/storage.js';
import { type CompiledStyle, compileMapStyle, type MapLayer } from '../styles/compile.js';
import { datasource } from './datasource.js';
import { drawnLayers } from './drawn-layers.js';
import { type DrawnExternal, externalOrigin } from './externals.js';
import { layerSql } from './layer-sql.js';
import { layerStyle } from './layer-style.js';
import { drawnXml, namingColumns } from './mapnik-xml.js';
import { rasterSource } from './raster-source.js';
import { createContentReader, type MapContent, type MapState, mapState } from './sources.js';

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
  palette: boolean;
  lng: string;
  main: string;
}

/** What is drawn for a request, apart from its place. */
export interface Drawing {
  xml: string;
  /** Hash of the XML. */
  xmlKey: string;
  /** Pixels at scale 1. */
  bufferSize: number;
  /** Whether nothing is drawn but perhaps the background. */
  isEmpty: boolean;
  /** Whether its tiles are kept in memory: every layer's `render_settings.cache`, and no external layer among them. */
  isKept: boolean;
  /** What others draw of it, which changes without our knowing. */
  externals: readonly DrawnExternal[];
}

export interface TilePlan extends Drawing {
  /** Hash over all that the picture depends on but its place. */
  key: string;
  /** Whether the public may view the map. */
  isPublic: boolean;
}

export type PlanTile = (
  caller: Caller,
  map: string,
  request: TileRequest,
  signal?: AbortSignal,
) => Promise<TilePlan>;

/** Characters of Mapnik XML that are kept in memory. */
const keptCharacters = 16 * 1024 * 1024;

/**
 * Plans tiles: one query, and no more for a map that has not changed since the last time. Throws 404, 403, 400 for an
 * unknown layer, `style_invalid`.
 */
export function createPlanner(
  db: Database,
  storage: Pick<FileStorage, 'path'>,
  pictures?: Pick<ExternalPictures, 'draws'>,
): PlanTile {
  const origins = originsOf(db, storage, pictures);
  const readContent = createContentReader(db);
  const drawings = new LRUCache<string, Drawing>({
    maxSize: keptCharacters,
    sizeCalculation: ({ xml }) => xml.length + 500,
  });

  return async (caller, map, request, signal) => {
    const state = await mapState(db, caller, map, signal);
    const content = await readContent(state, signal);
    const ids = drawnLayers(request.layers, state.viewable, content);
    const { z, base, lng, main } = request;
    const about = JSON.stringify([state.id, state.version, ids, z, base, lng, main]);
    let drawing = drawings.get(about);
    if (!drawing) {
      drawing = makeDrawing(request, ids, content, origins);
      drawings.set(about, drawing);
    }
    return { ...drawing, key: keyOf(drawing, request, ids, state), isPublic: state.has_publication };
  };
}

function keyOf(
  { xmlKey }: Drawing,
  { scale, palette }: TileRequest,
  ids: readonly number[],
  { viewable }: MapState,
): string {
  const versions = ids.map((id) => [id, viewable.get(id)]);
  return hash(JSON.stringify([xmlKey, versions, scale, palette]));
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Zoom levels from which shapes are drawn as they are stored. */
const thinBelow = 13;

/** What is drawn beside a map's own layers. */
interface Extras {
  /** Colour of the ground where the map says none; absent: none, it is transparent. */
  paper?: string;
  /** A layer on top. */
  over?: MapLayer;
}

/** Where Mapnik reads what it draws: a database, and files by the keys of the storage. */
export interface Origins {
  database: ConnectionTarget;
  fileOf(key: string): string;
  /** The source of an external layer, where it is drawn at all. */
  externalOf?(json: Record<string, unknown>): ExternalSource | undefined;
}

export const originsOf = (
  db: Pick<Database, 'connection'>,
  storage: Pick<FileStorage, 'path'>,
  pictures: Pick<ExternalPictures, 'draws'> = { draws: () => false },
): Origins => ({
  externalOf: (json) => {
    const source = sourceOf(json);
    return source && pictures.draws(source) ? source : undefined;
  },
  database: db.connection,
  fileOf: (key) => storage.path(key),
});

/** What is drawn of the layers `ids`, bottom to top: pure. */
export function makeDrawing(
  request: Pick<TileRequest, 'z' | 'base' | 'lng' | 'main'> & Extras,
  ids: readonly number[],
  content: MapContent,
  origins: Origins,
): Drawing {
  const parts = ids.flatMap((id) => drawLayer(request, content.layers.get(id)!, origins) ?? []);
  const ground = request.base ? compileMapStyle(content.css_style).backgroundColor : undefined;
  const background = ground ?? request.paper;
  const bufferSize = Math.max(0, ...parts.map((part) => part.bufferSize));
  const xml = drawnXml({
    layers: [...parts.map(({ layer }) => layer), ...(request.over ? [request.over] : [])],
    bufferSize,
    ...(background === undefined ? {} : { backgroundColor: background }),
  });
  return {
    xml,
    xmlKey: hash(xml),
    bufferSize,
    isEmpty: !parts.length,
    isKept: parts.every((part) => part.isKept && !part.external),
    externals: parts.flatMap(({ external }) => external ?? []),
  };
}

type LayerContent = MapContent['layers'] extends ReadonlyMap<number, infer L> ? L : never;

interface DrawnPart {
  layer: MapLayer;
  bufferSize: number;
  isKept: boolean;
  external?: DrawnExternal;
}

/** A layer at a zoom level; undefined where nothing of it is drawn. */
function drawLayer(
  at: Pick<TileRequest, 'z' | 'lng' | 'main'>,
  source: LayerContent,
  origins: Origins,
): DrawnPart | undefined {
  const { z } = at;
  const { id, css_style, render_settings } = source;
  const { minZoom, maxZoom, opacity, buffer, cache } = render_settings as RenderSettings;
  if (z < (minZoom ?? 0) || z > (maxZoom ?? 24) || opacity === 0 || css_style.trim() === '') return undefined;
  demandRunning(source);
  const compiled = layerStyle(source);
  const external = isExternal(source) ? origins.externalOf?.(source.json ?? {}) : undefined;
  const origin = isExternal(source)
    ? external && z >= external.minZoom && { ...externalOrigin(id), compiled }
    : isRaster(source)
      ? ofImage(source, compiled, origins)
      : ofObjects(at, source, compiled, origins);
  if (!compiled.visibleAt(z) || !origin) return undefined;
  const layer: MapLayer = {
    name: `layer_${id}`,
    ...origin,
    ...(opacity === undefined ? {} : { opacity }),
  };
  return {
    layer,
    bufferSize: buffer ?? compiled.bufferSize,
    isKept: cache !== false,
    ...(external ? { external: { layerId: id, source: external } } : {}),
  };
}

type Origin = Pick<MapLayer, 'srs' | 'datasource' | 'compiled'>;

/** The image of a layer; undefined before the first import. */
const ofImage = (
  { raster }: LayerContent,
  compiled: CompiledStyle,
  { fileOf }: Origins,
): Origin | undefined => (raster ? { ...rasterSource(raster, fileOf), compiled } : undefined);

/** The objects of a layer that its style draws; undefined where it draws none. */
function ofObjects(
  { z, lng, main }: Pick<TileRequest, 'z' | 'lng' | 'main'>,
  { id, columns }: LayerContent,
  compiled: CompiledStyle,
  { database }: Origins,
): Origin | undefined {
  const filter = compiled.filterAt(z);
  if (filter === 'none') return undefined;
  const read = compiled.columnsAt(z);
  const table = layerSql({ id, columns, read, filter, lng, main, thin: z < thinBelow });
  return {
    srs: 'epsg:4326',
    datasource: datasource(database, table),
    compiled: namingColumns(compiled, read),
  };
}

interface RenderSettings {
  minZoom?: number;
  maxZoom?: number;
  opacity?: number;
  buffer?: number;
  cache?: boolean;
}

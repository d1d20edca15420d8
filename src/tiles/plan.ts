import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../access/caller.js';
import type { ConnectionTarget, Database, Snapshot } from '../db/pool.js';
import type { ExternalPictures } from '../external/pictures.js';
import { type ExternalSource, sourceOf } from '../external/source.js';
import type { IconFiles } from '../icons/icons.js';
import { demandRunning, isExternal, isRaster } from '../layers/layers.js';
import { visualOf } from '../layers/visual/visual.js';
import type { FileStorage } from '../storage/storage.js';
import {
  type CompiledStyle,
  compileMapStyle,
  type MapDescription,
  type MapLayer,
} from '../styles/compile.js';
import type { LayerVersion } from './cache/change-log.js';
import { datasource } from './datasource.js';
import { drawnLayers, withBase } from './drawn-layers.js';
import { type DrawnExternal, externalOrigin } from './externals.js';
import { heatPass } from './heat-sql.js';
import { layerSql } from './layer-sql.js';
import { type LayerStyle, layerStyle } from './layer-style.js';
import { drawnXml, namingColumns } from './mapnik-xml.js';
import type { HeatPass, Pass } from './messages.js';
import { isHeat, passesOf } from './passes.js';
import { pictureKey } from './picture-key.js';
import { rasterSource } from './raster-source.js';
import { type DrawnReading, type DrawnSource, readsOf, sourcesOf } from './reads.js';
import { type RenderSettings, withMap } from './render-settings.js';
import { createContentReader, type MapContent, mapState } from './sources.js';

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

/** What is drawn for a request, apart from its place. */
export interface Drawing {
  xml: string;
  /** Hash of the XML and what is drawn above. */
  xmlKey: string;
  /** The same, whatever the way to the data is. */
  pictureKey: string;
  /** What is drawn above, from the first layer on that is no part of a map of Mapnik's. */
  above: readonly Pass[];
  /** Pixels at scale 1. */
  bufferSize: number;
  /** Whether nothing is drawn but perhaps the background. */
  isEmpty: boolean;
  /** Whether its tiles are kept: every layer's `render_settings.cache`, and no external layer among them. */
  isKept: boolean;
  /** What others draw of it, which changes without our knowing. */
  externals: readonly DrawnExternal[];
  /** The layers that are drawn, and which of their objects a tile depends on. */
  reads: readonly DrawnSource[];
}

export interface TilePlan extends Drawing {
  /** Of all that the picture depends on but its place and the data. */
  key: string;
  /** The layers of `reads` with their data versions, read before the data are. */
  sources: readonly (DrawnSource & LayerVersion)[];
  /** Whether the public may view the map. */
  isPublic: boolean;
  /** Whether the picture has a limited palette. */
  palette: boolean;
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
}

/** Characters of Mapnik XML that are kept in memory. */
const keptCharacters = 16 * 1024 * 1024;

/**
 * Plans tiles: one query, and no more for a map that has not changed since the last time. Throws 404, 403, 400 for an
 * unknown layer, `style_invalid`.
 */
export function createPlanner({ db, storage, icons, pictures }: DrawingParts): PlanTile {
  const origins = originsOf(db, storage, pictures);
  const readContent = createContentReader(db, icons);
  const drawings = new LRUCache<string, Drawing>({
    maxSize: keptCharacters,
    sizeCalculation: ({ xml, above }) =>
      above.reduce((sum, pass) => sum + (pass.kind === 'map' ? pass.xml.length : 5000), xml.length + 500),
  });

  return async (caller, map, request, { signal, at } = {}) => {
    const state = await mapState(db, caller, map, at);
    const content = await readContent(state, signal);
    const named = drawnLayers(request.layers, state.viewable, content);
    const ids = withBase(named, request.base, state.viewable, content);
    const palette = request.palette ?? (ids.length > 0 && ids.every((id) => content.limited?.has(id)));
    const { z, base, scale, lng, main } = request;
    const about = JSON.stringify([
      state.id,
      state.version,
      state.icons_version,
      ids,
      z,
      base,
      scale,
      lng,
      main,
    ]);
    let drawing = drawings.get(about);
    if (!drawing) {
      drawing = makeDrawing(request, ids, content, origins);
      drawings.set(about, drawing);
    }
    const key = `${drawing.pictureKey}/${request.scale}/${palette ? 'palette' : 'full'}`;
    const sources = drawing.reads.map((one) => ({ ...one, version: state.viewable.get(one.id)! }));
    return { ...drawing, key, sources, palette, isPublic: state.has_publication };
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

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
  request: Pick<TileRequest, 'z' | 'base' | 'scale' | 'lng' | 'main'> & Extras,
  ids: readonly number[],
  content: MapContent,
  origins: Origins,
): Drawing {
  const whole = (content.render_settings ?? {}) as RenderSettings;
  const parts = ids.flatMap(
    (id) => drawLayer(request, withMap(content.layers.get(id)!, whole), origins, content.icons) ?? [],
  );
  const ground = request.base ? compileMapStyle(content.css_style).backgroundColor : undefined;
  const background = ground ?? request.paper;
  // Whole pixels: Mapnik takes no others.
  const bufferSize = Math.ceil(Math.max(0, ...parts.map((part) => part.bufferSize)));
  const drawn = [...parts.map(({ drawn }) => drawn), ...(request.over ? [request.over] : [])];
  const first = drawn.findIndex(isHeat);
  const below: MapDescription = {
    layers: (first < 0 ? drawn : drawn.slice(0, first)) as MapLayer[],
    bufferSize,
    ...(background === undefined ? {} : { backgroundColor: background }),
  };
  const xml = drawnXml(below, request.scale);
  const above = first < 0 ? [] : passesOf(drawn.slice(first), { bufferSize, scale: request.scale });
  return {
    xml,
    xmlKey: hash(above.length ? JSON.stringify([xml, above]) : xml),
    pictureKey: pictureKey({ xml, above }),
    above,
    bufferSize,
    isEmpty: !parts.length,
    isKept: parts.every((part) => part.isKept && !part.external),
    externals: parts.flatMap(({ external }) => external ?? []),
    reads: sourcesOf(parts),
  };
}

type LayerContent = MapContent['layers'] extends ReadonlyMap<number, infer L> ? L : never;

interface DrawnPart extends DrawnReading {
  drawn: MapLayer | HeatPass;
  bufferSize: number;
  isKept: boolean;
  external?: DrawnExternal;
}

/** A layer at a zoom level; undefined where nothing of it is drawn. */
function drawLayer(
  at: Pick<TileRequest, 'z' | 'lng' | 'main'>,
  source: LayerContent,
  origins: Origins,
  icons: MapContent['icons'],
): DrawnPart | undefined {
  const { z } = at;
  const { id, css_style, render_settings } = source;
  const { minZoom, maxZoom, opacity, buffer, cache } = render_settings as RenderSettings;
  if (z < (minZoom ?? 0) || z > (maxZoom ?? 24) || opacity === 0) return undefined;
  if (css_style.trim() === '' && !visualOf(source)) return undefined;
  demandRunning(source);
  const style = layerStyle(source, icons);
  const { compiled, drawing } = style;
  if (drawing?.heat) {
    const { table, ...pass } = heatPass({ ...source, main: at.main }, drawing.heat, z);
    const drawn = {
      ...pass,
      opacity: pass.opacity * (opacity ?? 1),
      datasource: datasource(origins.database, table),
    };
    return { id, reads: 'all', claims: false, drawn, bufferSize: 0, isKept: cache !== false };
  }
  const external = isExternal(source) ? origins.externalOf?.(source.json ?? {}) : undefined;
  const origin = isExternal(source)
    ? external && z >= external.minZoom && { ...externalOrigin(id), compiled }
    : isRaster(source)
      ? ofImage(source, compiled, origins)
      : ofObjects(at, source, style, origins);
  if (!compiled.visibleAt(z) || !origin) return undefined;
  const layer: MapLayer = {
    name: `layer_${id}`,
    ...origin,
    ...(opacity === undefined ? {} : { opacity }),
  };
  const reach = Math.max(compiled.bufferSizeAt(z), drawing?.reach ?? 0);
  return {
    id,
    ...readsOf(source, style, z),
    drawn: layer,
    bufferSize: buffer ?? reach,
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
  { compiled, drawing }: LayerStyle,
  { database }: Origins,
): Origin | undefined {
  const filter = compiled.filterAt(z);
  if (filter === 'none') return undefined;
  const read = compiled.columnsAt(z);
  const table = layerSql({ id, columns, read, filter, lng, main, drawing, zoom: z });
  return {
    srs: 'epsg:4326',
    datasource: datasource(database, table),
    compiled: namingColumns(compiled, read),
  };
}

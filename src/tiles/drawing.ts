import { createHash } from 'node:crypto';
import type { ConnectionTarget, Database } from '../db/pool.js';
import type { Sql } from '../db/sql.js';
import type { ExternalPictures } from '../external/pictures.js';
import { type ExternalSource, sourceOf } from '../external/source.js';
import { demandRunning, isExternal, isRaster } from '../layers/layers.js';
import { visualOf } from '../layers/visual/visual.js';
import type { FileStorage } from '../storage/storage.js';
import {
  type Around,
  allSides,
  type CompiledStyle,
  compileMapStyle,
  type MapLayer,
  widest,
} from '../styles/compile.js';
import { datasource } from './datasource.js';
import { type DrawnExternal, externalOrigin } from './externals.js';
import { heatPass } from './heat-sql.js';
import { labelPasses } from './labels/labelled-part.js';
import { type LayerSource, layerSql } from './layer-sql.js';
import { type LayerStyle, layerStyle } from './layer-style.js';
import { drawnXml, namingColumns } from './mapnik-xml.js';
import type { HeatPass, LabelPass, Pass } from './messages.js';
import { isOwnPass, type OwnPass, passesOf } from './passes.js';
import { pictureKey } from './picture-key.js';
import type { TileRequest } from './plan.js';
import { rasterSource } from './raster-source.js';
import { readBox } from './read-box.js';
import { type DrawnReading, type DrawnSource, readsOf, sourcesOf } from './reads.js';
import { type RenderSettings, withMap } from './render-settings.js';
import type { MapContent } from './sources.js';
import type { ChunkGrid } from './specks/chunk.js';
import type { SpeckSource } from './specks/speck-chunks.js';
import { type SpeckedPart, speckedPart, splitsNobody } from './specks/specked-part.js';

/** A map of Mapnik's, and what is drawn above it. */
export interface Sheet {
  xml: string;
  /** Hash of the XML and what is drawn above. */
  xmlKey: string;
  /** What is drawn above, from the first layer on that is no part of a map of Mapnik's. */
  above: readonly Pass[];
}

/** One in which the smallest objects of large layers are drawn apart, in passes of their own. */
export interface SpeckedSheet extends Sheet {
  sources: readonly SpeckSource[];
}

/** What is drawn for a request, apart from its place. */
export interface Drawing extends Sheet {
  /** The same as the key of its XML, whatever the way to the data is. */
  pictureKey: string;
  /** The same picture in less time. */
  specked?: SpeckedSheet | undefined;
  /** Pixels of the style around a picture that Mapnik draws, too. */
  bufferSize: number;
  /** Pixels of the style around a picture in which lies all that may change it. */
  around: number;
  /** Whether nothing is drawn but perhaps the background. */
  isEmpty: boolean;
  /** Whether its tiles are kept: every layer's `render_settings.cache`, and no external layer among them. */
  isKept: boolean;
  /** What others draw of it, which changes without our knowing. */
  externals: readonly DrawnExternal[];
  /** The layers that are drawn, and which of their objects a tile depends on. */
  reads: readonly DrawnSource[];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** What is drawn beside a map's own layers, and how. */
interface Extras {
  /** The layers whose smallest objects are worth being drawn apart, and in which chunks they are kept. */
  specks?: ReadonlyMap<number, ChunkGrid> | undefined;
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
  const { seen, labelsAround } = withLabelsApart(
    request.z,
    ids.flatMap((id) => seenLayer(request.z, withMap(content.layers.get(id)!, whole), content.icons) ?? []),
  );
  const bufferSize = farthest(seen.map(({ around }) => around));
  // Mapnik enlarges the buffer, which is given in pixels of the picture, by the scale once more when it asks for data.
  const boxOf = boxes(seen, bufferSize * request.scale, request.z);
  const parts = seen.flatMap(
    (layer) => drawLayer({ ...request, box: boxOf(layer), labelsAround }, layer, origins) ?? [],
  );
  const ground = request.base ? compileMapStyle(content.css_style).backgroundColor : undefined;
  const background = ground ?? request.paper;
  const over = request.over ? [request.over] : [];
  const look = { bufferSize, background, scale: request.scale };
  const sheet = sheetOf([...parts.flatMap(({ shapes, labels }) => [...shapes, ...labels]), ...over], look);
  return {
    ...sheet,
    pictureKey: pictureKey(sheet),
    specked: request.over
      ? undefined
      : speckedSheet(parts, { ...look, isDivided: labelsAround !== undefined }),
    bufferSize,
    around: Math.max(bufferSize, farthest(labelsAround ? [labelsAround] : [])),
    isEmpty: !parts.length,
    isKept: parts.every((part) => part.isKept && !part.external),
    externals: parts.flatMap(({ external }) => external ?? []),
    reads: sourcesOf(parts),
  };
}

/** Whole pixels: Mapnik takes no others. */
function farthest(all: readonly Around[]): number {
  const { x, y } = widest(all);
  return Math.ceil(Math.max(x, y));
}

interface Look {
  bufferSize: number;
  background: string | undefined;
  scale: number;
}

/** What is drawn from bottom to top. */
function sheetOf(drawn: readonly (MapLayer | OwnPass)[], { bufferSize, background, scale }: Look): Sheet {
  const first = drawn.findIndex(isOwnPass);
  const layers = (first < 0 ? drawn : drawn.slice(0, first)) as MapLayer[];
  const backgroundColor = background === undefined ? {} : { backgroundColor: background };
  const xml = drawnXml({ layers, bufferSize, ...backgroundColor }, scale);
  const above = first < 0 ? [] : passesOf(drawn.slice(first), { bufferSize, scale });
  return { xml, xmlKey: hash(above.length ? JSON.stringify([xml, above]) : xml), above };
}

/** The same with specks apart, where there are any and no map is divided between layers that must know of each other. */
function speckedSheet(
  parts: readonly DrawnPart[],
  { isDivided, ...look }: Look & { isDivided: boolean },
): SpeckedSheet | undefined {
  const isApart = parts.map((part, i) => part.specked !== undefined && (isDivided || splitsNobody(parts, i)));
  if (!isApart.includes(true)) return undefined;
  const drawn = parts.flatMap(({ shapes, labels, specked }, i): (MapLayer | OwnPass)[] => [
    ...(isApart[i] ? [specked!.larger, specked!.pass] : shapes),
    ...labels,
  ]);
  const sources = parts.flatMap(({ specked }, i) => (isApart[i] ? specked!.source : []));
  return { ...sheetOf(drawn, look), sources };
}

type LayerContent = MapContent['layers'] extends ReadonlyMap<number, infer L> ? L : never;

/** A layer of which something may be drawn at a zoom level. */
interface SeenLayer extends DrawnReading {
  source: LayerContent;
  style: LayerStyle;
  /** Pixels around a picture in which there may be something that is seen in it. */
  around: Around;
  /** Its labels, where they are drawn apart from `style`. */
  labels?: NonNullable<PlainLabels>;
}

type PlainLabels = ReturnType<CompiledStyle['plainLabelsAt']>;

function seenLayer(z: number, source: LayerContent, icons: MapContent['icons']): SeenLayer | undefined {
  const { minZoom, maxZoom, opacity, buffer } = source.render_settings as RenderSettings;
  if (z < (minZoom ?? 0) || z > (maxZoom ?? 24) || opacity === 0) return undefined;
  if (source.css_style.trim() === '' && !visualOf(source)) return undefined;
  demandRunning(source);
  const style = layerStyle(source, icons);
  const { compiled, drawing } = style;
  const about = { id: source.id, source, style };
  if (drawing?.heat) return { ...about, reads: 'all', claims: false, around: allSides(0) };
  if (!compiled.visibleAt(z)) return undefined;
  const reach = widest([compiled.aroundAt(z), allSides(drawing?.reach ?? 0)]);
  const around = buffer === undefined ? reach : allSides(buffer);
  return { ...about, ...readsOf(source, style, z), around };
}

/**
 * The layers with their labels drawn apart, by ourselves, where all that looks for room are plain labels; and how far around a picture those
 * are looked for, which is alike for all since they avoid each other. Else as they are.
 */
function withLabelsApart(
  z: number,
  seen: readonly SeenLayer[],
): { seen: readonly SeenLayer[]; labelsAround: Around | undefined } {
  const labels = seen.map((layer) => (layer.claims ? plainLabels(z, layer) : undefined));
  const isAlone = ({ style, claims }: SeenLayer): boolean =>
    !claims && (style.drawing?.heat !== undefined || style.compiled.reachAt(z).pixels !== undefined);
  const areApart = labels.some(Boolean) && seen.every((layer, i) => labels[i] || isAlone(layer));
  if (!areApart) return { seen, labelsAround: undefined };
  return {
    seen: seen.map((layer, i) =>
      labels[i] ? { ...layer, ...shapesAt(z, layer), labels: labels[i] } : layer,
    ),
    labelsAround: widest(seen.filter((_, i) => labels[i]).map(({ around }) => around)),
  };
}

function plainLabels(z: number, { source, style }: SeenLayer): PlainLabels {
  const { opacity } = source.render_settings as RenderSettings;
  const isWhole = opacity !== undefined || style.drawing || isRaster(source) || isExternal(source);
  return isWhole ? undefined : style.compiled.plainLabelsAt(z);
}

function shapesAt(z: number, { source, style, around }: SeenLayer): Pick<SeenLayer, 'style' | 'around'> {
  const compiled = style.compiled.shapes();
  const { buffer } = source.render_settings as RenderSettings;
  return { style: { ...style, compiled }, around: buffer === undefined ? compiled.aroundAt(z) : around };
}

/**
 * Where the objects of each layer are read, of what Mapnik asks for: as far around as the layer itself is to be looked at. Layers whose symbols
 * avoid each other are looked at alike, or in neighbouring pictures other symbols would have a place.
 */
function boxes(seen: readonly SeenLayer[], asked: number, z: number): (layer: SeenLayer) => Sql {
  const mayMeet = ({ claims, reads, labels }: SeenLayer): boolean =>
    !labels && (claims || typeof reads !== 'number');
  const together = widest(seen.filter(mayMeet).map(({ around }) => around));
  return (layer) => readBox(asked, mayMeet(layer) ? together : layer.around, z);
}

interface DrawnPart extends DrawnReading {
  shapes: readonly (MapLayer | HeatPass)[];
  labels: readonly LabelPass[];
  specked?: SpeckedPart | undefined;
  isKept: boolean;
  external?: DrawnExternal;
}

/** How layers are drawn. */
interface DrawnAt extends Pick<TileRequest, 'z' | 'lng' | 'main' | 'scale'>, Pick<Extras, 'specks'> {
  box: Sql;
  labelsAround: Around | undefined;
}

/** A layer at a zoom level; undefined where nothing of it is drawn. */
function drawLayer(at: DrawnAt, seen: SeenLayer, origins: Origins): DrawnPart | undefined {
  const { z } = at;
  const { id, source, style, reads, claims } = seen;
  const { opacity, cache } = source.render_settings as RenderSettings;
  const { compiled, drawing } = style;
  const about = { id, reads, claims, isKept: cache !== false, labels: labelsOf(at, seen, origins) };
  if (seen.labels && !compiled.visibleAt(z)) return { ...about, shapes: [] };
  if (drawing?.heat) {
    const { table, ...pass } = heatPass({ ...source, main: at.main }, drawing.heat, z);
    const drawn = {
      ...pass,
      opacity: pass.opacity * (opacity ?? 1),
      datasource: datasource(origins.database, table),
    };
    return { ...about, shapes: [drawn] };
  }
  const external = isExternal(source) ? origins.externalOf?.(source.json ?? {}) : undefined;
  const origin = isExternal(source)
    ? external && z >= external.minZoom && { ...externalOrigin(id), compiled }
    : isRaster(source)
      ? ofImage(source, compiled, origins)
      : ofObjects(objectsOf(at, source, style), style, origins);
  if (!origin) return undefined;
  const layer: MapLayer = {
    name: `layer_${id}`,
    ...origin,
    ...(opacity === undefined ? {} : { opacity }),
  };
  return {
    ...about,
    shapes: [layer],
    specked: specksOf(at, source, style, origins),
    ...(external ? { external: { layerId: id, source: external } } : {}),
  };
}

const labelsOf = (
  { lng, main, labelsAround }: DrawnAt,
  { id, source: { columns }, labels }: SeenLayer,
  { database }: Origins,
): LabelPass[] =>
  labels && labelsAround
    ? labelPasses({ id, columns, lng, main }, labels, { around: labelsAround, database })
    : [];

type Origin = Pick<MapLayer, 'srs' | 'datasource' | 'compiled'>;

/** The image of a layer; undefined before the first import. */
const ofImage = (
  { raster }: LayerContent,
  compiled: CompiledStyle,
  { fileOf }: Origins,
): Origin | undefined => (raster ? { ...rasterSource(raster, fileOf), compiled } : undefined);

/** What a style reads of a layer's objects. */
const objectsOf = (
  { z, lng, main, box }: DrawnAt,
  { id, columns }: LayerContent,
  { compiled, drawing }: LayerStyle,
): LayerSource => ({
  id,
  columns,
  read: compiled.columnsAt(z),
  filter: compiled.filterAt(z),
  lng,
  main,
  drawing,
  zoom: z,
  box,
});

/** The objects of a layer that its style draws; undefined where it draws none. */
function ofObjects(source: LayerSource, { compiled }: LayerStyle, { database }: Origins): Origin | undefined {
  if (source.filter === 'none') return undefined;
  return {
    srs: 'epsg:4326',
    datasource: datasource(database, layerSql(source)),
    compiled: namingColumns(compiled, source.read),
  };
}

/** A layer with its specks apart; undefined where that is not worth it, or its style or its settings do not allow it. */
function specksOf(
  at: DrawnAt,
  content: LayerContent,
  style: LayerStyle,
  origins: Origins,
): SpeckedPart | undefined {
  const grid = at.specks?.get(content.id);
  if (!grid) return undefined;
  const source = objectsOf(at, content, style);
  const larger = ofObjects({ ...source, largerThanSpecksAt: grid.level }, style, origins);
  const isPlain = content.type === 'layer' && !style.drawing && content.render_settings.opacity === undefined;
  if (!larger || !isPlain) return undefined;
  const part = speckedPart(source, style.compiled, { ...grid, scale: at.scale });
  return part && { ...part, larger: { name: `layer_${content.id}`, ...larger } };
}

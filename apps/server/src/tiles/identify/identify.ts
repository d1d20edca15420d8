import { type Extent, fromMercator, tileExtent, toMercator } from '@cartulary/geo';
import { drawnXml, namingColumns, quickPng } from '@cartulary/renderer';
import { empty, type Sql, sql } from '@cartulary/sql';
import sharp from 'sharp';
import type { Caller } from '../../access/caller.js';
import { holdsObjects } from '../../layers/layers.js';
import { isPlain, type PictureFrame } from '../pictures/frame.js';
import { createPlanes, OutsideOfArea } from '../pictures/planes.js';
import {
  chooseLabels,
  type DrawableLayer,
  drawableLayers,
  type LayerContent,
} from '../plan/choose-layers.js';
import { triedMarkersSql } from '../plan/label-passes.js';
import { layerSourceOf } from '../plan/layer-origin.js';
import type { ReadContent } from '../plan/map-content.js';
import { mapState } from '../plan/map-state.js';
import type { PlanParts } from '../plan/plan.js';
import { conditionSql } from '../plan/sql/condition-sql.js';
import { datasource } from '../plan/sql/datasource.js';
import { type LayerSource, styleColumns } from '../plan/sql/layer-source.js';
import { someSql } from '../plan/sql/layer-sql.js';
import type { Plane } from '../plan/sql/plane.js';
import { filtersFor, type LayerFilters, objectsTable } from '../plan/tile-filter.js';
import { visibleLayers, withBase } from '../plan/visible-layers.js';
import { pictureJob } from '../render/jobs.js';
import type { RendererPool } from '../render/pool.js';
import { type DrawnBy, drawnBy } from './rules.js';

/** A point on a map. */
export interface Pointed {
  /** The part of the picture around the point in which objects are found, as `pointFrame` gives it. */
  frame: PictureFrame;
  /** Zoom level of the picture. */
  z: number;
  /** Ids of layers or items in drawing order; undefined: the selected layers of the publication tree. */
  layers: readonly number[] | undefined;
  /** The layers of the picture, of which one has the columns of the filter; absent: those in which objects are found. */
  visible?: Pick<Pointed, 'layers'>;
  /** CQL2: the filter of the picture. */
  filter?: string | undefined;
  /** Whether to say what drew each object. */
  tellsRules: boolean;
  /** Limit of the returned objects. */
  limit: number;
  lng: string;
  main: string;
}

/** An object that is drawn at the point. */
export interface DrawnObject {
  layer: string;
  layer_id: number;
  svc_id: number;
  /** Pixels of the style from the point to the nearest pixel that it colours. */
  distance: number;
  /** With `tellsRules`. */
  drawn_by?: DrawnBy;
}

/**
 * The square around a point of a picture, with `tolerance` pixels of the style on each side of the point's own: thin lines and small
 * symbols are found beside it, too.
 */
export function pointFrame(
  [x, y]: readonly [x: number, y: number],
  {
    crs,
    pixel,
    tolerance,
  }: Pick<PictureFrame, 'crs'> & { pixel: { x: number; y: number }; tolerance: number },
): PictureFrame {
  const side = 2 * tolerance + 1;
  const [dx, dy] = [(side / 2) * pixel.x, (side / 2) * pixel.y];
  return { crs, box: [x - dx, y - dy, x + dx, y + dy], width: side, height: side, scale: 1 };
}

/** The same square on tiles of a zoom level, around a position in degrees. */
export function pointFrameOnTiles(
  at: readonly [lon: number, lat: number],
  z: number,
  tolerance: number,
): PictureFrame {
  const [west, , east] = tileExtent(z, 0, 0);
  const pixel = (east - west) / 256;
  const crs = { srid: 3857, isDegrees: false, metresPerUnit: 1 };
  return pointFrame(toMercator(...at), { crs, pixel: { x: pixel, y: pixel }, tolerance });
}

export type Identify = (
  caller: Caller,
  map: string,
  at: Pointed,
  signal: AbortSignal,
) => Promise<DrawnObject[]>;

/** Candidates of a layer, the nearest objects. */
const mostCandidates = 25;

/**
 * Finds the objects that are drawn at a point: the topmost layer first, and within a layer the topmost object first.
 * Each candidate is drawn alone, in its layer's style at this zoom level, into a picture of the pixels around the point.
 * An object that colours none of them is not found, whatever its shape. Throws 404, 403, 400 as tiles do.
 */
export function createIdentifier({
  db,
  renderers,
  readContent,
  fastLabels,
}: Pick<PlanParts, 'db' | 'fastLabels'> & {
  renderers: Pick<RendererPool, 'render'>;
  readContent: ReadContent;
}): Identify {
  const planeOf = createPlanes(db);
  return async (caller, map, at, signal) => {
    const state = await mapState(db, caller, map, caller.at);
    const content = await readContent(state, signal);
    // The base layer is not identified.
    const { viewable } = state;
    const named = (layers: Pointed['layers']): number[] =>
      withBase(visibleLayers(layers, viewable, content), false, viewable, content);
    const ids = named(at.layers);
    const sources = new Set([...ids, ...(at.visible ? named(at.visible.layers) : [])]);
    const filters = filtersFor(
      at.filter,
      [...sources].map((id) => content.layers.get(id)!),
    );
    const drawn = await drawableLayers(at.z, ids, content);
    const { labelsAround } = await chooseLabels(at.z, drawn, fastLabels);
    const isThinned = labelsAround !== undefined;
    const placeOf = async ({ around }: DrawableLayer): Promise<Place | undefined> =>
      isPlain(at.frame)
        ? { extent: at.frame.box, plane: undefined }
        : planeOf({ ...at.frame, around: Math.max(around.x, around.y) }, signal).catch(asNowhere);
    const found: Ranked[] = [];
    for (const layer of drawn.toReversed()) {
      if (found.filter(({ isBeside }) => !isBeside).length >= at.limit) break;
      if (!holdsObjects(layer.source)) continue;
      const place = await placeOf(layer);
      if (!place) continue;
      found.push(...(await findIn({ db, renderers, at, place, signal, isThinned, filters }, layer)));
    }
    // Areas beside the point come last, even from a higher layer.
    const ranked = [...found.filter((one) => !one.isBeside), ...found.filter((one) => one.isBeside)];
    return ranked.slice(0, at.limit).map(({ object }) => object);
  };
}

/** Beside the earth, where pictures of some systems are empty, no object is found. */
function asNowhere(error: unknown): undefined {
  if (!(error instanceof OutsideOfArea)) throw error;
}

interface Ranked {
  object: DrawnObject;
  /** Whether it is an area beside the point. */
  isBeside: boolean;
}

/** Where the frame lies for the renderer: in EPSG:3857 itself, or on a plane. */
interface Place {
  extent: Extent;
  plane: Plane | undefined;
}

interface Work extends Pick<PlanParts, 'db'> {
  renderers: Pick<RendererPool, 'render'>;
  at: Pointed;
  place: Place;
  signal: AbortSignal;
  /** Whether of markers that lie close together one is tried. */
  isThinned: boolean;
  filters: LayerFilters;
}

interface Candidate {
  svc_id: number;
  dimension: number;
  /** Its position in the drawing order. */
  place: number;
}

/** The objects of a layer that are drawn at the point. */
async function findIn(work: Work, { id, source, style, around }: DrawableLayer): Promise<Ranked[]> {
  const { compiled, drawing } = style;
  // Heat maps and cells consist of no single objects.
  if (drawing?.heat || drawing?.cells) return [];
  const { at, db, signal, place } = work;
  const tolerance = (at.frame.width - 1) / 2;
  // Labels beside shapes only name them.
  const shapes = compiled.withoutTexts();
  const drawn = shapes.visibleAt(at.z) ? shapes : compiled;
  const all = layerSourceOf({ ...at, ...place, box: sql`!bbox!`, filters: work.filters }, source, {
    compiled: drawn,
    drawing,
  });
  if (all.filter === 'none') return [];
  const candidates = await db.query<Candidate>(candidatesSql(all, around, work), signal);
  if (!candidates.length) return [];
  const read = work.isThinned ? { ...all, only: triedOnly(work, source, style, all.only) } : all;
  const draw = drawerOf(work, { read, source, around, drawn });
  const ids = candidates.map(({ svc_id }) => svc_id);
  if (distanceTo(await draw(someSql(read, { only: ids })), tolerance) === undefined) return [];
  // Symbols claim room in the order of ids. A symbol that changes nothing after all earlier ones has no room.
  const avoids = mayAvoid(drawn, at.z) && !drawing?.largestFirst;
  const hasRoom = async (id: number): Promise<boolean> => {
    const [before, withIt] = await Promise.all([
      draw(someSql(read, { before: id })),
      draw(someSql(read, { upTo: id })),
    ]);
    return !before.equals(withIt);
  };
  const found = candidates.map(async (one): Promise<Placed | undefined> => {
    const distance = distanceTo(await draw(someSql(read, { only: [one.svc_id] })), tolerance);
    if (distance === undefined || (avoids && !(await hasRoom(one.svc_id)))) return undefined;
    const { svc_id, dimension, place } = one;
    const object = { layer: source.code, layer_id: id, svc_id, distance: Math.round(distance * 10) / 10 };
    return { object, place, isBeside: dimension === 2 && drawing?.place !== 'point' && distance > 0 };
  });
  const placed = (await Promise.all(found)).filter((one) => one !== undefined).sort(topmostFirst);
  return at.tellsRules ? withRules(work, { source, style }, placed) : placed;
}

/** Of the objects of a filter, leaves out those whose markers tiles do not try. */
function triedOnly(
  { at: { z, lng, main }, place: { plane } }: Work,
  { id, columns }: LayerContent,
  { compiled, drawing }: DrawableLayer['style'],
  only: LayerSource['only'],
): LayerSource['only'] {
  const source = { id, columns, lng, main, only, pieces: undefined, plane, drawing };
  const tried = triedMarkersSql({ ...source, zoom: z, scale: 1 }, compiled.plainLabelsAt(z) ?? []);
  return tried ? ({ alias }) => sql`${alias}.svc_id in (${tried})` : only;
}

async function withRules(
  { db, at, signal }: Work,
  layer: Pick<DrawableLayer, 'source' | 'style'>,
  placed: Placed[],
): Promise<Placed[]> {
  const ids = placed.map(({ object }) => object.svc_id);
  const told = await drawnBy(db, layer, ids, at, signal);
  return placed.map((one) => {
    const drawn_by = told.get(one.object.svc_id);
    return drawn_by ? { ...one, object: { ...one.object, drawn_by } } : one;
  });
}

type Placed = Ranked & Pick<Candidate, 'place'>;

const topmostFirst = (a: Placed, b: Placed): number =>
  a.object.distance - b.object.distance || b.place - a.place;

/** Whether a style leaves out symbols that overlap others. */
function mayAvoid({ rules }: DrawableLayer['style']['compiled'], z: number): boolean {
  const symbolizers = rules
    .flatMap((style) => style.rules)
    .filter(({ first, last }) => z >= first && z <= last)
    .flatMap((rule) => rule.symbolizers);
  const avoiding: Record<string, string> = {
    markers: 'marker',
    point: 'point',
    text: 'text',
    shield: 'shield',
  };
  return symbolizers.some(({ name, settings }) => {
    const prefix = avoiding[name];
    return prefix !== undefined && settings.get(`${prefix}-allow-overlap`)?.attribute.text !== 'true';
  });
}

/** Width of a pixel of the style, metres of EPSG:3857 or of the plane. */
const pixelOf = ({ at, place: { extent } }: Work): number => (extent[2] - extent[0]) / at.frame.width;

/** The objects whose symbols may reach the point, nearest first; `place`: position in the drawing order. */
function candidatesSql(read: LayerSource, around: DrawableLayer['around'], work: Work): Sql {
  const values = styleColumns(read);
  const largestFirst = values.get(read.drawing?.largestFirst ?? '');
  values.set('svc_id', sql`t.svc_id`);
  // A part's number belongs to no object; as in the drawing, the parts of all objects count.
  const condition =
    read.filter === 'all' || read.filter === 'none' || read.drawing?.parts
      ? empty
      : sql` and ${conditionSql(read.filter, values)}`;
  const [left, low, right, high] = work.place.extent;
  const [dx, dy] = [around.x * pixelOf(work), around.y * pixelOf(work)];
  const [west, south] = fromMercator(left - dx, low - dy);
  const [east, north] = fromMercator(right + dx, high + dy);
  const [lon, lat] = fromMercator((left + right) / 2, (low + high) / 2);
  return sql`
    select svc_id, dimension, row_number() over (order by size desc nulls last, svc_id)::integer as place from (
      select t.svc_id, st_dimension(t.geom) as dimension, ${largestFirst ?? sql`0`} as size,
        st_distance(t.geom, st_setsrid(st_makepoint(${lon}::float8, ${lat}::float8), 4326)) as distance
      from ${objectsTable(read)} t
      where t.geom && st_makeenvelope(${west}::float8, ${south}::float8, ${east}::float8, ${north}::float8, 4326)${condition}
      order by distance, t.svc_id desc limit ${mostCandidates}::integer) near
    order by distance, svc_id desc`;
}

/** Returns a function that draws a part of a layer around the point: the pixels, RGBA. */
function drawerOf(
  { db, renderers, at, place: { extent }, signal }: Work,
  layer: {
    read: LayerSource;
    source: LayerContent;
    around: DrawableLayer['around'];
    drawn: DrawableLayer['style']['compiled'];
  },
): (table: string) => Promise<Buffer> {
  const { read, source, around, drawn } = layer;
  const bufferSize = Math.ceil(Math.max(around.x, around.y));
  return async (table) => {
    const compiled = namingColumns(drawn, read.read);
    const own = {
      name: `layer_${source.id}`,
      srs: 'epsg:4326',
      datasource: datasource(db.connection, table),
      compiled,
    };
    const xml = drawnXml({ layers: [own], bufferSizePx: bufferSize });
    const job = pictureJob(xml, { isOnce: true, extent, size: at.frame.width, bufferSize, format: quickPng });
    const [picture] = await renderers.render(job, signal);
    return sharp(picture!).ensureAlpha().raw().toBuffer();
  };
}

/** Distance in pixels from the middle to the nearest coloured pixel within a circle; undefined: there is none. */
function distanceTo(pixels: Buffer, tolerance: number): number | undefined {
  const side = 2 * tolerance + 1;
  let nearest: number | undefined;
  for (let i = 0; i < side * side; i++) {
    if (pixels[4 * i + 3] === 0) continue;
    const distance = Math.hypot((i % side) - tolerance, Math.floor(i / side) - tolerance);
    if (distance <= tolerance && (nearest === undefined || distance < nearest)) nearest = distance;
  }
  return nearest;
}

import type { Database } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { quickPng } from '@cartulary/renderer';
import sharp from 'sharp';
import { type Caller, mainLanguage } from '../../access/caller.js';
import type { PlanTile, TilePlan } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';
import type { DrawJob, PlacedLayer } from '../render/draw-job.js';
import { drawWithSprites, type SpriteParts } from '../render/draw-with-sprites.js';
import { compositionJob, externalsAt } from '../render/jobs.js';
import {
  isBeyondWorld,
  isInLatitudes,
  isPlain,
  meanPixel,
  type PictureFrame,
  pictureLevel,
  pixelMetres,
  spriteLevelOf,
} from './frame.js';
import { createPlanes, type PlacedPlane } from './planes.js';
import { type PositionGrid, positionsIn } from './positions.js';
import { imageUnder, warped } from './warp.js';

/** What a picture shows of a map. */
export type PictureContent = Pick<TileRequest, 'base' | 'layers' | 'filter' | 'paper' | 'lng'>;

/** A planned picture. */
export interface PlannedPicture {
  plan: TilePlan;
  draw(): Promise<Uint8Array>;
}

export interface PictureOf {
  caller: Caller;
  map: string;
  content: PictureContent;
  frame: PictureFrame;
}

export type PlanPicture = (wanted: PictureOf, signal: AbortSignal) => Promise<PlannedPicture>;

interface DrawParts extends SpriteParts {
  db: Database;
  planTile: PlanTile;
  /** Pixels. */
  largestSide: number;
}

/** Cells of the grid by which images are warped: between its points the curves of projections are nearly straight. */
const warpCells = 32;

/**
 * Creates the function that plans pictures of any box, size and reference system. In EPSG:3857 a picture is drawn as a tile is; in
 * another system on a plane (`plan/sql/plane.ts`), where images are warped.
 */
export function createPicturePlanner(parts: DrawParts): PlanPicture {
  const planeOf = createPlanes(parts.db);
  return async (wanted, signal) => {
    const { caller, map, content, frame } = wanted;
    const main = mainLanguage(caller);
    const request = (more: Partial<TileRequest>): TileRequest => ({
      ...content,
      ...{
        z: pictureLevel(frame),
        x: 0,
        y: 0,
        scale: frame.scale,
        isOffGrid: true,
        palette: undefined,
        main,
      },
      ...more,
    });
    const plan = (more: Partial<TileRequest>) =>
      parts.planTile(caller, map, request(more), { signal, at: caller.at });
    if (isPlain(frame)) {
      const planned = await plan(ofSprites(frame));
      const job = jobOf(planned, frame, { extent: frame.box });
      return { plan: planned, draw: () => drawnFast(parts, { planned, frame, job }, signal) };
    }
    const placed = await planeOf(frame, signal);
    const planned = await plan({ plane: placed.plane, ...ofSprites(frame) });
    return { plan: planned, draw: () => drawOnPlane(parts, { planned, frame, placed, plan }, signal) };
  };
}

const ofSprites = (frame: PictureFrame): Pick<TileRequest, 'spriteLevel' | 'isBeyondWorld'> => ({
  spriteLevel: spriteLevelOf(frame),
  ...(isBeyondWorld(frame) ? { isBeyondWorld: true } : {}),
});

/** Draws a picture, in EPSG:3857 and EPSG:4326 with the small features of tiles as sprites. */
async function drawnFast(
  parts: DrawParts,
  { planned, frame, job }: { planned: TilePlan; frame: PictureFrame; job: DrawJob },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const hasSprites = spriteLevelOf(frame) !== undefined;
  const sprites = hasSprites ? await planned.withSprites(signal) : undefined;
  if (!sprites) return drawn(parts, job, signal);
  const place = {
    extent: frame.box,
    isInDegrees: isInLatitudes(frame),
    isBeyondWorld: isBeyondWorld(frame),
  };
  return checked(drawWithSprites(parts, { sprites, versions: planned.sources, job, place }, signal));
}

/** Message of the database about a position that a projection does not know. */
const outOfReach = /transform: /;

const drawn = ({ renderers }: DrawParts, job: DrawJob, signal: AbortSignal): Promise<Uint8Array> =>
  checked(renderers.render(job, signal));

/** The picture that is drawn. Throws `bad_request` where the reference system does not reach. */
async function checked(drawing: Promise<Uint8Array[]>): Promise<Uint8Array> {
  const pictures = await drawing.catch((error) => {
    if (error instanceof ServiceError && typeof error.cause === 'string' && outOfReach.test(error.cause))
      throw badRequest('crs: the reference system does not reach what the box shows', {
        parameters: ['crs'],
      });
    throw error;
  });
  return pictures[0]!;
}

const jobOf = (
  plan: TilePlan,
  frame: PictureFrame,
  more: Pick<DrawJob, 'extent'> & Partial<DrawJob>,
): DrawJob =>
  compositionJob(plan, pictureLevel(frame), {
    size: frame.width,
    height: frame.height,
    scale: frame.scale,
    bufferSize: Math.ceil(plan.bufferSize * frame.scale),
    ...more,
  });

interface PlaneDrawing {
  planned: TilePlan;
  frame: PictureFrame;
  placed: PlacedPlane;
  plan(more: Partial<TileRequest>): Promise<TilePlan>;
}

async function drawOnPlane(
  parts: DrawParts,
  drawing: PlaneDrawing,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { planned, frame, placed } = drawing;
  const { extent, shrink } = placed;
  const pictures: PlacedLayer[] = [];
  if (planned.warped.length) {
    const { crs, box } = frame;
    const grid = await positionsIn(parts.db, { srid: crs.srid, box, count: warpCells }, signal);
    for (const layerId of planned.warped)
      pictures.push({
        layerId,
        extent,
        png: await warpedLayer(parts, { ...drawing, grid, layerId }, signal),
      });
  }
  // The rules are those of the picture, whose scale differs from that of a plane on which it is smaller.
  const scaled = shrink < 1 ? { scaleDenominator: meanPixel(frame) / pixelMetres / frame.scale } : {};
  const job = jobOf(planned, frame, { extent, pictures, isOnce: true, ...scaled });
  return drawnFast(parts, { planned, frame, job }, signal);
}

/** The plan of a layer of images alone in EPSG:3857; undefined where nothing of it is drawn. */
async function planAlone(plan: PlaneDrawing['plan'], layerId: number): Promise<TilePlan | undefined> {
  // A filter is that of objects, which it has none of. The colour behind it is that of the picture.
  const own: Partial<TileRequest> = { filter: undefined, paper: false };
  const alone = await plan({ ...own, base: false, layers: [layerId] });
  if (!alone.isEmpty) return alone;
  // The base layer is drawn with the background alone.
  const base = await plan({ ...own, base: true, layers: [] });
  return base.sources.some(({ id }) => id === layerId) ? base : undefined;
}

/** Scale denominator of zoom level 0 (OGC 17-083r4, annex D). */
const topScale = 559_082_264.028_717_8;

/** A layer of images, drawn in EPSG:3857 and warped into the picture: a PNG. */
async function warpedLayer(
  parts: DrawParts,
  { plan, frame, grid, layerId }: PlaneDrawing & { grid: PositionGrid; layerId: number },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { width, height, scale } = frame;
  const source = imageUnder(grid, { width, height, limit: parts.largestSide });
  if (!source) return encoded(new Uint8Array(width * height * 4), width, height);
  const { extent, ...size } = source;
  const planned = await planAlone(plan, layerId);
  if (!planned) return encoded(new Uint8Array(width * height * 4), width, height);
  const job = jobOf(planned, { ...frame, ...size }, { extent, format: quickPng });
  // The rules are those of the picture, whose scale differs from that of EPSG:3857.
  const scaleDenominator = topScale / 2 ** pictureLevel(frame) / scale;
  const png = await drawn(
    parts,
    { ...job, externals: externalsAt(planned.externals, pictureLevel(frame)), scaleDenominator },
    signal,
  );
  const pixels = await sharp(png).ensureAlpha().raw().toBuffer();
  weigh(pixels);
  const made = await warped({ ...source, pixels }, grid, { width, height });
  unweigh(made);
  return encoded(made, width, height);
}

const encoded = async (pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();

/** Multiplies colours by their opacity, so that colours of transparent pixels do not count between pixels. */
function weigh(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = (pixels[channel]! * alpha) / 255 + 0.5;
  }
}

function unweigh(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      pixels[channel] = Math.min(255, (pixels[channel]! * 255) / alpha + 0.5);
  }
}

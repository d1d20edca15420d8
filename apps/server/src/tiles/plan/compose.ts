import { type Around, compileMapStyle, type MapLayer, widest } from '@cartulary/cartocss';
import { drawnXml } from '@cartulary/renderer';
import { digestOf, mapInSlices } from '@cartulary/runtime';
import type { LayerChunks } from '../small-features/layers.js';
import { mayDivideMapAbove } from '../small-features/sprite-layer.js';
import { cacheKeyOf } from './cache-key.js';
import { chooseLabels, drawableLayers } from './choose-layers.js';
import { type ComposedLayer, composeLayer } from './compose-layer.js';
import type { Composition, MapComposition, SpriteComposition } from './composition.js';
import { dependenciesOf } from './dependencies.js';
import { type Origins, readBoxes } from './layer-origin.js';
import type { MapContent } from './map-content.js';
import { isOwnPass, type OwnPass, passesOf } from './passes.js';
import type { LayerFilters } from './tile-filter.js';
import type { TileRequest } from './tile-request.js';

/** Options of a composition besides the request. */
interface ComposeOptions {
  /** The filters of the request by layer. */
  filters?: LayerFilters | undefined;
  /** Whether the renderer may draw plain labels itself (the fast path). */
  fastLabels: boolean;
  /** Layers whose small features or labels are worth drawing from chunks, and the grids of these. */
  chunkGrids?: ReadonlyMap<number, LayerChunks> | undefined;
  /** Layers whose large shapes are drawn from pieces (the fast path). */
  pieces?: ReadonlySet<number> | undefined;
  /** A layer on top. */
  over?: MapLayer;
}

/** Composes the drawing of the layers `ids`, bottom to top, in slices. Throws `style_invalid` and `query_invalid`. */
export async function compose(
  request: Pick<
    TileRequest,
    'z' | 'base' | 'scale' | 'isOffGrid' | 'isBeyondWorld' | 'lng' | 'main' | 'paper' | 'plane'
  > &
    ComposeOptions,
  ids: readonly number[],
  content: MapContent,
  origins: Origins,
): Promise<Composition> {
  const drawable = await drawableLayers(request.z, ids, content);
  const { layers, labelsAround } = await chooseLabels(request.z, drawable, request.fastLabels);
  const bufferSize = widestSide(layers.map(({ around }) => around));
  // Mapnik multiplies the buffer, which is given in pixels of the picture, by the scale again when it requests data.
  const boxOf = readBoxes(layers, bufferSize * request.scale, request.z);
  const composed = await mapInSlices(layers, (layer) =>
    composeLayer({ ...request, box: boxOf(layer), labelsAround }, layer, origins),
  );
  const parts = composed.flatMap((part) => part ?? []);
  const ground = request.base ? compileMapStyle(content.css_style).backgroundColor : undefined;
  const background = request.paper === false ? undefined : (ground ?? request.paper);
  const over = request.over ? [request.over] : [];
  const frame = { bufferSize, background, scale: request.scale };
  const map = mapOf(
    [...parts.flatMap((part) => wholeOf(part, [...part.shapes, ...part.labels])), ...over],
    frame,
  );
  return {
    ...map,
    // With pieces and without them the picture is the same.
    cacheKey: request.pieces?.size
      ? (await compose({ ...request, pieces: undefined }, ids, content, origins)).cacheKey
      : cacheKeyOf(map),
    withSprites: request.over
      ? undefined
      : composeWithSprites(parts, { ...frame, isDivided: labelsAround !== undefined }),
    bufferSize,
    around: Math.max(bufferSize, widestSide(labelsAround ? [labelsAround] : [])),
    isEmpty: !parts.length,
    isKept: parts.every((part) => part.isKept && !part.external),
    externals: parts.flatMap(({ external }) => external ?? []),
    warped: parts.flatMap(({ id, isWarped }) => (isWarped ? id : [])),
    dependencies: dependenciesOf(parts),
  };
}

/** Whole pixels: Mapnik accepts no fractions. */
function widestSide(all: readonly Around[]): number {
  const { x, y } = widest(all);
  return Math.ceil(Math.max(x, y));
}

/** The parts of a layer as a whole. Mapnik lays one part of its own over the others by itself; several are drawn apart and then laid over them. */
function wholeOf(
  { compositing }: ComposedLayer,
  drawn: readonly (MapLayer | OwnPass)[],
): readonly (MapLayer | OwnPass)[] {
  if (!compositing || !drawn.length) return drawn;
  const [first, ...more] = drawn;
  if (!more.length && !isOwnPass(first!)) return [{ ...first!, ...compositing }];
  return [{ kind: 'begin-layer' }, ...drawn, { kind: 'end-layer', ...compositing }];
}

interface Frame {
  bufferSize: number;
  background: string | undefined;
  scale: number;
}

/** A map of the layers below the first pass that Mapnik does not draw, and all passes from there. */
function mapOf(
  drawn: readonly (MapLayer | OwnPass)[],
  { bufferSize, background, scale }: Frame,
): MapComposition {
  const first = drawn.findIndex(isOwnPass);
  const layers = (first < 0 ? drawn : drawn.slice(0, first)) as MapLayer[];
  const backgroundColor = background === undefined ? {} : { backgroundColor: background };
  const xml = drawnXml({ layers, bufferSizePx: bufferSize, ...backgroundColor }, scale);
  const above = first < 0 ? [] : passesOf(drawn.slice(first), { bufferSize, scale });
  return { xml, xmlKey: digestOf(above.length ? JSON.stringify([xml, above]) : xml), above };
}

/** The same picture with sprites and labels in chunks; undefined where no layer has some, or the map must not be divided above them. */
function composeWithSprites(
  parts: readonly ComposedLayer[],
  { isDivided, ...frame }: Frame & { isDivided: boolean },
): SpriteComposition | undefined {
  const hasSprites = parts.map(
    (part, i) => part.spriteLayer !== undefined && (isDivided || mayDivideMapAbove(parts, i)),
  );
  if (!hasSprites.includes(true) && !parts.some(({ labelChunks }) => labelChunks)) return undefined;
  const drawn = parts.flatMap((part, i) => {
    const { shapes, labels, spriteLayer, labelChunks } = part;
    return wholeOf(part, [
      ...(hasSprites[i] ? [...spriteLayer!.larger, ...spriteLayer!.passes] : shapes),
      ...(labelChunks?.passes ?? labels),
    ]);
  });
  const sources = parts.flatMap(({ spriteLayer, labelChunks }, i) => [
    ...(hasSprites[i] ? [spriteLayer!.source] : []),
    ...(labelChunks?.sources ?? []),
  ]);
  return { ...mapOf(drawn, frame), sources };
}

import type { LayerStyle } from './layer-style.js';
import type { SourceLayer } from './sources.js';

/**
 * Which objects of a layer a tile depends on: a number, those whose shapes lie in the tile or so many pixels of the style around
 * it; `block`, those in the block that is drawn at once and the buffer around it, because they avoid each other or nobody
 * knows how far they can be seen; `all`, wherever they are.
 */
export type Reads = number | 'block' | 'all';

export interface DrawnSource {
  /** Of the layer. */
  id: number;
  reads: Reads;
}

/** The same before it is known what else is drawn. */
export interface DrawnReading extends DrawnSource {
  /** Whether labels and markers of other layers avoid what is drawn of it. */
  claims: boolean;
}

/**
 * What a layer's drawing at a zoom level depends on. Sound, not complete: of what is not simply drawn object by object from
 * the rows in the box that is asked for, everything.
 */
export function readsOf(
  { type }: Pick<SourceLayer, 'type'>,
  { compiled, drawing }: LayerStyle,
  zoom: number,
): Pick<DrawnReading, 'reads' | 'claims'> {
  const { pixels, claims } = compiled.reachAt(zoom);
  // The version of a virtual layer is one of all that it reads, and those of materialized layers and images are not noted.
  const isPlain = type === 'layer' && !drawing?.heat && !drawing?.cells && !isApart(drawing);
  if (!isPlain) return { reads: 'all', claims };
  // Charts lie beside the point that is asked for.
  return { reads: drawing?.parts ? 'block' : (pixels ?? 'block'), claims };
}

/** Charts of which only the largest of neighbours is drawn, which are looked for beyond the box that is asked for. */
const isApart = (drawing: LayerStyle['drawing']): boolean =>
  drawing?.parts !== undefined && drawing.parts.apart !== null;

/** Who stands in the way of others is as far away as those are: as soon as anything may avoid anything, its place in the block counts. */
export function sourcesOf(parts: readonly DrawnReading[]): DrawnSource[] {
  const mayAvoid = parts.some(({ reads }) => typeof reads !== 'number');
  return parts.map(({ id, reads, claims }) => ({
    id,
    reads: claims && mayAvoid && reads !== 'all' ? 'block' : reads,
  }));
}

import type { LayerStyle } from './layer-style.js';
import type { SourceLayer } from './map-content.js';

/**
 * The objects of a layer on which a tile depends.
 * A number: objects in the tile and this many pixels of the style around it.
 * `block`: objects in the block that is drawn at once and the buffer around it, because symbols avoid each other or their size is unknown.
 * `all`: every object of the layer.
 */
export type DependencyArea = number | 'block' | 'all';

export interface LayerDependency {
  /** Id of the layer. */
  id: number;
  area: DependencyArea;
}

/** A dependency of one layer, before the other layers are known. */
export interface DrawnDependency extends LayerDependency {
  /** Whether labels and markers of other layers avoid this layer's symbols. */
  claims: boolean;
}

/**
 * The dependency of a layer at a zoom level. It may be larger than necessary, never smaller:
 * only layers that draw each row of the requested box by itself get less than `all`.
 */
export function dependencyOf(
  { type }: Pick<SourceLayer, 'type'>,
  { compiled, drawing }: LayerStyle,
  zoom: number,
): Pick<DrawnDependency, 'area' | 'claims'> {
  const { pixels, claims } = compiled.reachAt(zoom);
  // Virtual layers, materialized layers and images have no log of changed boxes.
  const isPlain = type === 'layer' && !drawing?.heat && !drawing?.cells && !avoidsNeighbours(drawing);
  if (!isPlain) return { area: 'all', claims };
  // Charts extend beyond the point that the query finds.
  return { area: drawing?.parts ? 'block' : (pixels ?? 'block'), claims };
}

/** Charts that hide smaller neighbours; their query reads beyond the requested box. */
const avoidsNeighbours = (drawing: LayerStyle['drawing']): boolean =>
  drawing?.parts !== undefined && drawing.parts.minSpacingPx !== null;

/** Dependencies of all layers: where one layer's symbols avoid others, each claiming layer counts in the whole block. */
export function dependenciesOf(parts: readonly DrawnDependency[]): LayerDependency[] {
  const mayAvoid = parts.some(({ area }) => typeof area !== 'number');
  return parts.map(({ id, area, claims }) => ({
    id,
    area: claims && mayAvoid && area !== 'all' ? 'block' : area,
  }));
}

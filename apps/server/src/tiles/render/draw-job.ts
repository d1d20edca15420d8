import type { Extent } from '@cartulary/geo';
import type { RenderJob } from '@cartulary/renderer';
import type { ExternalSource } from '../../external/source.js';

/** A render job that may need pictures of other servers first. */
export interface DrawJob extends RenderJob {
  /** External layers at a zoom level; their pictures replace placeholders in the XML. */
  externals?: readonly { layerId: number; source: ExternalSource; z: number }[];
  /** Pictures of layers that are drawn already; they replace placeholders, too. */
  pictures?: readonly PlacedLayer[];
}

/** A picture of a layer and its extent in EPSG:3857. */
export interface PlacedLayer {
  layerId: number;
  png: Uint8Array;
  extent: Extent;
}

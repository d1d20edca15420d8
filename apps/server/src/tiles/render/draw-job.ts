import type { RenderJob } from '@cartulary/renderer';
import type { ExternalSource } from '../../external/source.js';

/** A render job that may need pictures of other servers first. */
export interface DrawJob extends RenderJob {
  /** External layers at a zoom level; their pictures replace placeholders in the XML. */
  externals?: readonly { layerId: number; source: ExternalSource; z: number }[];
}

import { SpritesImpossible } from '@cartulary/renderer';
import type { SpriteComposition } from '../plan/composition.js';
import type { TilePlan } from '../plan/plan.js';
import type { FeatureChunks } from '../small-features/chunks.js';
import type { PictureExtent } from '../small-features/picture-place.js';
import type { DrawJob } from './draw-job.js';
import type { RendererPool } from './pool.js';

export interface SpriteParts {
  renderers: Pick<RendererPool, 'render'>;
  /** Chunks of small features. */
  smallFeatures: Pick<FeatureChunks, 'fill' | 'refuse'>;
}

/**
 * Draws a job with sprites where its chunks can be read and all symbols fit, else as it is. Chunks are read before a renderer is
 * taken. Throws as `RendererPool.render`.
 */
export async function drawWithSprites(
  { renderers, smallFeatures }: SpriteParts,
  {
    sprites: { sources, above, ...map },
    versions,
    job,
    place = { extent: job.extent },
  }: {
    sprites: SpriteComposition;
    versions: TilePlan['sources'];
    job: DrawJob;
    /** The place of the picture; absent: the extent of the job. */
    place?: Pick<PictureExtent, 'extent' | 'isInDegrees' | 'isBeyondWorld'>;
  },
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const { columns, rows, size, height = size } = job;
  const { extent, isInDegrees = false, isBeyondWorld = false } = place;
  const picture = { extent, isInDegrees, isBeyondWorld, width: columns * size, height: rows * height };
  const filled = await smallFeatures.fill(above, sources, { ...picture, versions });
  if (!filled) return renderers.render(job, signal);
  try {
    return await renderers.render({ ...job, ...map, above: filled }, signal);
  } catch (error) {
    if (!(error instanceof SpritesImpossible)) throw error;
    smallFeatures.refuse(above, error.layerId);
    return renderers.render(job, signal);
  }
}

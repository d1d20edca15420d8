import { useFonts } from '@cartulary/cartocss';
import type { RendererPool } from './pool.js';

/** Time that a start waits for the first renderer's fonts. */
const maxWaitMs = 10_000;

/**
 * Makes the fonts of the renderers known to styles. Waits for the first renderer, but not for longer than `waitMs`: on a
 * slow machine the service starts with the fonts that Mapnik includes, and takes the others when a renderer has started.
 */
export async function useRendererFonts(
  { fonts }: Pick<RendererPool, 'fonts'>,
  waitMs = maxWaitMs,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  const used = fonts.then((names) => {
    if (names) useFonts(names);
  });
  await Promise.race([used, timeout]);
  clearTimeout(timer);
}

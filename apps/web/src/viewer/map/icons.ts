import type { Map as MapLibreMap } from 'maplibre-gl';
import { base } from '../../common/base.js';

/** Smallest and largest side of an icon in CSS pixels; others are scaled. */
const minIconSizePx = 22;
const maxIconSizePx = 128;

/**
 * Adds an icon to the map under its path. Returns its side in CSS pixels, null if it cannot be loaded.
 * Only images of this service are loaded.
 */
export async function addIcon(map: MapLibreMap, path: string): Promise<number | null> {
  const url = new URL(path, `${base}/`);
  if (url.origin !== location.origin) return null;
  const image = new Image();
  image.src = url.href;
  try {
    await image.decode();
  } catch {
    return null;
  }
  const side = Math.max(image.naturalWidth, image.naturalHeight, 1);
  const size = Math.min(maxIconSizePx, Math.max(minIconSizePx, side));
  const scale = (2 * size) / side;
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale].map((length) =>
    Math.max(1, Math.round(length)),
  ) as [number, number];
  const pixels = renderImage(width, height, (context) => context.drawImage(image, 0, 0, width, height));
  if (!map.hasImage(path)) map.addImage(path, pixels, { pixelRatio: 2 });
  return size;
}

const countPrefix = 'count:';

/** The image id prefix of a cluster's count, on a disc or without one; the count follows it. */
export const countImage = (onDisc: boolean): string => `${countPrefix}${onDisc ? 'disc' : 'bare'}:`;

/** Draws the images of counts when the map requests them, so that the service needs no glyph fonts. */
export function provideCountImages(map: MapLibreMap): void {
  map.setMissingStyleImageResolver((id) => {
    const [, form, text] = /^count:(disc|bare):(.{1,8})$/.exec(id) ?? [];
    if (!form || text === undefined || map.hasImage(id)) return;
    const size = form === 'disc' ? 76 : 64;
    const pixels = renderImage(size, size, (context) => {
      const middle = size / 2;
      if (form === 'disc') {
        context.beginPath();
        context.arc(middle, middle, middle - 4, 0, 2 * Math.PI);
        context.fillStyle = '#1864ab';
        context.fill();
        context.lineWidth = 4;
        context.strokeStyle = '#ffffff';
        context.stroke();
      }
      context.font = 'bold 26px system-ui, sans-serif';
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineWidth = 6;
      context.strokeStyle = '#ffffff';
      if (form === 'bare') context.strokeText(text, middle, middle);
      context.fillStyle = form === 'disc' ? '#ffffff' : '#212529';
      context.fillText(text, middle, middle);
    });
    map.addImage(id, pixels, { pixelRatio: 2 });
  });
}

function renderImage(
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  draw(context);
  return context.getImageData(0, 0, width, height);
}

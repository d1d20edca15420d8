import type { Map as MapLibreMap } from 'maplibre-gl';
import { base } from '../common/base.js';

/** CSS pixels that an icon has at least. */
const least = 22;
/** Most CSS pixels of an icon: larger ones are made smaller. */
const most = 128;

/** Gives the map the picture of an icon under its path; its size in CSS pixels, or null where it cannot be had. Only pictures of this service are loaded. */
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
  const size = Math.min(most, Math.max(least, side));
  const scale = (2 * size) / side;
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale].map((length) =>
    Math.max(1, Math.round(length)),
  ) as [number, number];
  const picture = pictureOf(width, height, (context) => context.drawImage(image, 0, 0, width, height));
  if (!map.hasImage(path)) map.addImage(path, picture, { pixelRatio: 2 });
  return size;
}

const countPrefix = 'count:';

/** The name of the picture of a number of objects, on a disc or alone; it is drawn when the map first asks for it. */
export const countImage = (onDisc: boolean): string => `${countPrefix}${onDisc ? 'disc' : 'bare'}:`;

/** Draws the pictures of numbers when the map asks for them: no fonts need to be served for them. */
export function drawCounts(map: MapLibreMap): void {
  map.setMissingStyleImageResolver((id) => {
    const [, form, text] = /^count:(disc|bare):(.{1,8})$/.exec(id) ?? [];
    if (!form || text === undefined || map.hasImage(id)) return;
    const size = form === 'disc' ? 76 : 64;
    const picture = pictureOf(size, size, (context) => {
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
    map.addImage(id, picture, { pixelRatio: 2 });
  });
}

function pictureOf(
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

import { PNG } from 'pngjs';

/** A PNG of one colour. */
export function png(width: number, height: number, [red, green, blue] = [40, 120, 80]): Buffer {
  const picture = new PNG({ width, height });
  for (let at = 0; at < picture.data.length; at += 4) picture.data.set([red!, green!, blue!, 255], at);
  return PNG.sync.write(picture);
}

/** An SVG icon. */
export const svg = (color = '#3b8f4f'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle cx="12" cy="12" r="9" fill="${color}"/></svg>`;

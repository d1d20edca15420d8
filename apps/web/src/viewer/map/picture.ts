import type { Map as MapLibreMap } from 'maplibre-gl';

/** A picture of the map as it is seen. */
export interface MapPicture {
  /** A `data:` address. */
  url: string;
  /** In CSS pixels; the picture has twice as many. */
  width: number;
  height: number;
  /** Ground size of a CSS pixel at the centre, metres. */
  metresPerPixel: number;
}

/** Pixels of the picture per CSS pixel: about 200 dpi on a sheet of A4. */
const density = 2;

/** Draws the map once with more pixels. Its canvas is read while it is rendered, after that it is empty. */
export async function takePicture(map: MapLibreMap, metresPerPixel: number): Promise<MapPicture> {
  const before = map.getPixelRatio();
  map.setPixelRatio(Math.max(before, density));
  try {
    await new Promise<void>((resolve) => {
      map.once('idle', () => resolve());
      map.triggerRepaint();
    });
    const canvas = map.getCanvas();
    const url = await new Promise<string>((resolve) => {
      map.once('render', () => resolve(canvas.toDataURL('image/png')));
      map.triggerRepaint();
    });
    return { url, width: canvas.clientWidth, height: canvas.clientHeight, metresPerPixel };
  } finally {
    map.setPixelRatio(before);
  }
}

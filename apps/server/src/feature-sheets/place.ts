import { intlLocales } from '@cartulary/columns';
import { type Box, type Extent, fromMercator, tileExtent, toMercator } from '@cartulary/geo';

/** Position of the map on a feature sheet. */
export interface Frame {
  /** Zoom level of the style's rules. */
  z: number;
  extent: Extent;
  /** Pixels of the style. */
  width: number;
  height: number;
  isLandscape: boolean;
  bar: { part: number; metres: number };
  /** Degrees. */
  centre: { lon: number; lat: number };
}

/** Sizes of the frame on a portrait and on a landscape page, pixels of the style. */
const upright = { width: 720, height: 430 };
const across = { width: 1080, height: 390 };
/** Ratio of width to height from which an object gets a landscape page. */
const wide = 3;
/** Maximum share of the frame that the object fills. */
const filled = 0.72;
/** Zoom level of points and tiny objects. */
const deepest = 15;
/** Latitude of the edge of EPSG:3857. */
const mostLatitude = 85.0511;

/** Half the side of EPSG:3857 in metres; `resolutionAt` gives metres per pixel. */
const half = tileExtent(0, 0, 0)[2];
const resolutionAt = (z: number): number => (2 * half) / 256 / 2 ** z;

/** The frame around an object's extent (degrees), at the deepest zoom level that shows all of it with a margin. */
export function frameAround(box: Box): Frame {
  const clamp = (lat: number): number => Math.max(-mostLatitude, Math.min(mostLatitude, lat));
  const [west, south] = toMercator(box.west, clamp(box.south));
  const [east, north] = toMercator(box.east, clamp(box.north));
  const [sizeX, sizeY] = [east - west, north - south];
  const isLandscape = sizeX > 0 && sizeX > wide * sizeY;
  const { width, height } = isLandscape ? across : upright;
  const needed = Math.max(sizeX / (width * filled), sizeY / (height * filled));
  const fits = needed > 0 ? Math.floor(Math.log2(resolutionAt(0) / needed)) : deepest;
  const z = Math.max(0, Math.min(deepest, fits));
  const metres = resolutionAt(z);
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const [lon, lat] = fromMercator(x, y);
  return {
    z,
    extent: [
      x - (width * metres) / 2,
      y - (height * metres) / 2,
      x + (width * metres) / 2,
      y + (height * metres) / 2,
    ],
    width,
    height,
    isLandscape,
    bar: scaleBar(width * metres * Math.cos((lat * Math.PI) / 180)),
    centre: { lon: wrapped(lon), lat: (box.south + box.north) / 2 },
  };
}

const wrapped = (lon: number): number =>
  Math.abs(lon) <= 180 ? lon : ((((lon + 180) % 360) + 360) % 360) - 180;

/** A round length (1, 2 or 5 times a power of ten) of at most a fifth of a picture that is `metres` wide. */
function scaleBar(metres: number): { part: number; metres: number } {
  const most = metres / 5;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].find((times) => times * power <= most)! * power;
  return { part: length / metres, metres: length };
}

/** `52.51900° N, 13.40600° E` */
export function coordinates({ lon, lat }: { lon: number; lat: number }): string {
  const one = (value: number, [positive, negative]: [string, string]): string => {
    const shown = Math.abs(value).toFixed(5);
    return `${shown}°${Number(shown) === 0 ? '' : ` ${value < 0 ? negative : positive}`}`;
  };
  return `${one(lat, ['N', 'S'])}, ${one(lon, ['E', 'W'])}`;
}

/** A length in a language: `500 m`, `20 км`. */
export function lengthText(metres: number, lng: string): string {
  const isFar = metres >= 1000;
  return new Intl.NumberFormat(intlLocales(lng), {
    style: 'unit',
    unit: isFar ? 'kilometer' : 'meter',
    numberingSystem: 'latn',
  }).format(isFar ? metres / 1000 : metres);
}

/** Composes the pictures of a source for an extent: the URLs that the extent needs, and one picture of their answers. */
import { type Extent, flipRow, tileExtent, tilesAt, toMercator } from '@cartulary/geo';
import sharp, { type OverlayOptions } from 'sharp';
import { maxPicturePixels } from './normalize.js';
import { type ExternalSource, fillTemplate, type Values } from './source.js';

/** A requested picture. */
export interface WantedPicture {
  /** Metres of EPSG:3857. */
  extent: Extent;
  z: number;
  /** Pixels. */
  width: number;
  height: number;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
}

/** A PNG and its extent, metres of EPSG:3857. */
export interface PlacedPicture {
  png: Buffer;
  extent: Extent;
}

/** Most tiles of a source in one picture. */
const maxTiles = 64;

/** Fetches a picture by its URL. An empty buffer stands for a picture without content. */
export type Load = (url: string) => Promise<Buffer>;

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });

const subdomain = ({ subdomains }: ExternalSource, n: number): Values =>
  subdomains.length ? { s: subdomains[n % subdomains.length]! } : {};

/** The picture of a WMS source: one request, reduced where the extent has too many pixels. */
export async function composeWms(
  source: ExternalSource,
  { extent, width, height }: WantedPicture,
  load: Load,
): Promise<PlacedPicture> {
  const fits = Math.min(1, Math.sqrt(maxPicturePixels / (width * height)));
  const [w, h] = [Math.floor(width * fits), Math.floor(height * fits)] as const;
  const values = { bbox: extent.join(','), width: w, height: h, ...subdomain(source, 0) };
  const bytes = meets(source, extent) ? await load(fillTemplate(source.url, values)) : Buffer.alloc(0);
  return { extent, png: bytes.length ? bytes : await blank(1, 1).png().toBuffer() };
}

/** Whether a source has data in an extent. */
function meets({ extent: box }: ExternalSource, [west, south, east, north]: Extent): boolean {
  if (!box) return true;
  const [x0, y0] = toMercator(box[0], Math.max(box[1], -85.05));
  const [x1, y1] = toMercator(box[2], Math.min(box[3], 85.05));
  return west < x1 && east > x0 && south < y1 && north > y0;
}

/**
 * The level of the source whose pixels have the size of the picture's pixels, and its tiles that cover the
 * extent.
 */
export function tilesFor(
  source: Pick<ExternalSource, 'url' | 'tileSize' | 'minZoom' | 'maxZoom'>,
  { z, extent, scale }: Pick<WantedPicture, 'z' | 'extent' | 'scale'>,
): { level: number; x: number; y: number; columns: number; rows: number; isRetina: boolean } {
  const isRetina = scale > 1 && source.url.includes('{r}');
  const pixels = Math.log2((256 * scale) / (source.tileSize * (isRetina ? 2 : 1)));
  let level = Math.min(source.maxZoom, Math.max(source.minZoom, Math.round(z + pixels), 0));
  for (;;) {
    const range = rangeOf(level, extent);
    if (range.columns * range.rows <= maxTiles || level === 0) return { level, ...range, isRetina };
    level--;
  }
}

function rangeOf(
  level: number,
  [west, south, east, north]: Extent,
): { x: number; y: number; columns: number; rows: number } {
  const count = tilesAt(level);
  const [left, , right, top] = tileExtent(0, 0, 0);
  const side = (right - left) / count;
  const within = (n: number): number => Math.min(count - 1, Math.max(0, n));
  // A rounding error at the edge of a tile does not add its neighbour.
  const little = 1e-6;
  const x = within(Math.floor((west - left) / side + little));
  const y = within(Math.floor((top - north) / side + little));
  const lastX = within(Math.ceil((east - left) / side - little) - 1);
  const lastY = within(Math.ceil((top - south) / side - little) - 1);
  return { x, y, columns: lastX - x + 1, rows: lastY - y + 1 };
}

/** The picture of a tile source, of all tiles that meet the extent. */
export async function composeTiles(
  source: ExternalSource,
  wanted: WantedPicture,
  load: Load,
): Promise<PlacedPicture> {
  const { level, x, y, columns, rows, isRetina } = tilesFor(source, wanted);
  // At small scales the extent would take too many tiles, so the picture is empty.
  if (level < source.minZoom) return { extent: wanted.extent, png: await blank(1, 1).png().toBuffer() };
  const size = source.tileSize * (isRetina ? 2 : 1);
  const extent = tileExtent(level, x, y, columns, rows);
  const places = Array.from({ length: columns * rows }, (_, i) => ({
    column: i % columns,
    row: Math.floor(i / columns),
  }));
  const overlays = await Promise.all(
    places.map(async ({ column, row }): Promise<OverlayOptions | undefined> => {
      const [tx, ty] = [x + column, y + row];
      if (!meets(source, tileExtent(level, tx, ty))) return undefined;
      const flipped = flipRow(ty, level);
      const values = {
        z: level,
        x: tx,
        y: source.type === 'tms' ? flipped : ty,
        '-y': flipped,
        r: isRetina ? '@2x' : '',
        ...subdomain(source, tx + ty),
      };
      const bytes = await load(fillTemplate(source.url, values));
      if (!bytes.length) return undefined;
      const input = await sharp(bytes)
        .resize(size, size, { fit: 'fill' })
        .png({ compressionLevel: 1 })
        .toBuffer();
      return { input, left: column * size, top: row * size };
    }),
  );
  const drawn = overlays.filter((overlay) => overlay !== undefined);
  const png = await blank(columns * size, rows * size)
    .composite(drawn)
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { png, extent };
}

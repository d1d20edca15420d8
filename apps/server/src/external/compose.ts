/** External layers as pictures for the renderer. */
import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import sharp, { type OverlayOptions } from 'sharp';
import { ServiceError } from '../errors.js';
import { toMercator } from '../geo/bbox.js';
import { type Extent, flipRow, tileExtent, tilesAt } from '../geo/tile.js';
import { createTurns } from '../http/turns.js';
import { FetchError, fetchPicture, SilenceError } from './fetch.js';
import { type ExternalConfig, policyOf } from './policy.js';
import { type ExternalSource, fill, forbiddenHost, type Values } from './source.js';

export interface PictureConfig extends ExternalConfig {
  /** ms. */
  externalTimeout: number;
  /** ms. */
  externalRest: number;
  /** Bytes of one answer. */
  externalBytes: number;
  externalAtOnce: number;
  /** MiB. */
  externalCache: number;
}

/** A picture for an extent that is asked for. */
export interface Wanted {
  /** Metres of EPSG:3857. */
  extent: Extent;
  z: number;
  /** Pixels. */
  width: number;
  height: number;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
}

/** A PNG and where it lies, metres of EPSG:3857. */
export interface PlacedPicture {
  png: Buffer;
  extent: Extent;
}

export interface ExternalPictures {
  /** Whether the service may draw a source at all. */
  draws(source: ExternalSource): boolean;
  /** What of a source is seen in an extent. Throws `busy` (503) when its server fails. */
  picture(source: ExternalSource, wanted: Wanted, signal: AbortSignal): Promise<PlacedPicture>;
}

/** Most tiles of a source for one picture, and pixels of one answer. */
const mostTiles = 64;
const mostPixels = 2_048 * 2_048;
/** Longest wait for a turn, ms, and how many may wait. */
const waiting = { patience: 10_000, waiting: 400 };
/** How long an answer is kept whose server does not say, and at most, ms. */
const usual = 3_600_000;
const longest = 7 * 86_400_000;

export function createExternalPictures(
  config: PictureConfig,
  log: { warn(details: object, text: string): void },
): ExternalPictures {
  const policy = policyOf(config);
  const limits = { time: config.externalTimeout, bytes: config.externalBytes };
  const turns = createTurns(config.externalAtOnce, waiting);
  const kept = new LRUCache<string, Buffer>({
    maxSize: Math.max(1, config.externalCache * 1024 * 1024),
    sizeCalculation: (bytes, key) => bytes.length + key.length + 200,
  });

  /** Servers that did not answer a moment ago: else each tile would wait for them anew. */
  const silent = new LRUCache<string, true>({ max: 1_000 });

  async function fetched(url: URL, signal: AbortSignal): ReturnType<typeof fetchPicture> {
    try {
      return await turns(() => {
        if (silent.has(url.host)) throw new FetchError('it did not answer a moment ago');
        return fetchPicture(url, { policy, limits }, signal);
      }, signal);
    } catch (error) {
      if (error instanceof SilenceError && config.externalRest)
        silent.set(url.host, true, { ttl: config.externalRest });
      throw error;
    }
  }

  /** The bytes of a picture; empty: there is nothing to be seen. */
  async function load(source: ExternalSource, url: string, signal: AbortSignal): Promise<Buffer> {
    const key = `${source.isSparse}/${url}`;
    const known = kept.get(key);
    if (known) return known;
    const answer = await fetched(new URL(url), signal);
    const isEmpty = answer.status === 204 || (source.isSparse && answer.status === 404);
    if (answer.status !== 200 && !isEmpty) throw new FetchError(`the status is ${answer.status}`);
    const bytes = isEmpty ? Buffer.alloc(0) : await normalized(answer.bytes);
    const ttl = Math.min(answer.freshness ?? usual, longest);
    if (ttl > 0 && config.externalCache > 0) kept.set(key, bytes, { ttl });
    return bytes;
  }

  const guarded = async (source: ExternalSource, url: string, signal: AbortSignal): Promise<Buffer> => {
    try {
      return await load(source, url, signal);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      log.warn(
        { host: new URL(url).host, detail: error.message },
        'a picture of an external layer cannot be had',
      );
      throw unreachable(new URL(url).host);
    }
  };

  return {
    draws: (source) => source.isDrawn && forbiddenHost(source, policy) === undefined,
    async picture(source, wanted, signal) {
      const leave = new AbortController();
      const all = AbortSignal.any([signal, leave.signal]);
      // Each of the tiles that wait looks at it.
      setMaxListeners(0, all);
      try {
        return source.type === 'wms'
          ? await ofWms(source, wanted, (url) => guarded(source, url, all))
          : await ofTiles(source, wanted, (url) => guarded(source, url, all));
      } finally {
        // When one has failed the others are for nothing.
        leave.abort(unreachable('the server'));
      }
    },
  };
}

const unreachable = (host: string): ServiceError =>
  new ServiceError(
    'busy',
    `The external layer cannot be drawn: ${host} does not give its picture; try again`,
    {
      host,
      retry_after: 5,
    },
  );

/** A picture as PNG, decoded here within limits: what comes from elsewhere never reaches the renderer as it is. */
async function normalized(bytes: Buffer): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 });
    const { format, width, height } = await picture.metadata();
    if (!['png', 'jpeg', 'webp', 'gif'].includes(format) || width * height > mostPixels)
      throw new FetchError(`a picture of ${width} × ${height} pixels in the format ${format}`);
    return await picture
      .timeout({ seconds: 10 })
      .ensureAlpha()
      .toColourspace('srgb')
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch (error) {
    throw error instanceof FetchError ? error : new FetchError(`no picture: ${(error as Error).message}`);
  }
}

type Load = (url: string) => Promise<Buffer>;

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });

const subdomain = ({ subdomains }: ExternalSource, n: number): Values =>
  subdomains.length ? { s: subdomains[n % subdomains.length]! } : {};

async function ofWms(
  source: ExternalSource,
  { extent, width, height }: Wanted,
  load: Load,
): Promise<PlacedPicture> {
  const fits = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  const [w, h] = [Math.floor(width * fits), Math.floor(height * fits)] as const;
  const values = { bbox: extent.join(','), width: w, height: h, ...subdomain(source, 0) };
  const bytes = meets(source, extent) ? await load(fill(source.url, values)) : Buffer.alloc(0);
  return { extent, png: bytes.length ? bytes : await blank(1, 1).png().toBuffer() };
}

/** Whether a source has anything in an extent. */
function meets({ extent: box }: ExternalSource, [west, south, east, north]: Extent): boolean {
  if (!box) return true;
  const [x0, y0] = toMercator(box[0], Math.max(box[1], -85.05));
  const [x1, y1] = toMercator(box[2], Math.min(box[3], 85.05));
  return west < x1 && east > x0 && south < y1 && north > y0;
}

/** The level of the source whose pixels are those of the picture, and the tiles of it that cover the extent. */
export function tilesFor(
  source: Pick<ExternalSource, 'url' | 'tileSize' | 'minZoom' | 'maxZoom'>,
  { z, extent, scale }: Pick<Wanted, 'z' | 'extent' | 'scale'>,
): { level: number; x: number; y: number; columns: number; rows: number; isRetina: boolean } {
  const isRetina = scale > 1 && source.url.includes('{r}');
  const pixels = Math.log2((256 * scale) / (source.tileSize * (isRetina ? 2 : 1)));
  let level = Math.min(source.maxZoom, Math.max(source.minZoom, Math.round(z + pixels), 0));
  for (;;) {
    const range = rangeOf(level, extent);
    if (range.columns * range.rows <= mostTiles || level === 0) return { level, ...range, isRetina };
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
  // A border that differs from that of a tile by a rounding does not need the next one.
  const little = 1e-6;
  const x = within(Math.floor((west - left) / side + little));
  const y = within(Math.floor((top - north) / side + little));
  const lastX = within(Math.ceil((east - left) / side - little) - 1);
  const lastY = within(Math.ceil((top - south) / side - little) - 1);
  return { x, y, columns: lastX - x + 1, rows: lastY - y + 1 };
}

async function ofTiles(source: ExternalSource, wanted: Wanted, load: Load): Promise<PlacedPicture> {
  const { level, x, y, columns, rows, isRetina } = tilesFor(source, wanted);
  // Far out, where it would take a flood of tiles, nothing of it is seen.
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
      const bytes = await load(fill(source.url, values));
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

import { type FileHandle, open } from 'node:fs/promises';
import { leaveSignalsToParent } from '@cartulary/runtime';
import { addDecoder, BaseDecoder, fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import sharp, { type Sharp } from 'sharp';
import type { DecodingReport } from './decode.js';
import { georeferenceTags, littleEndian, numbers, readTiff, type Tiff, tag } from './tiff.js';
import { type Entry, longs8, shorts, startOfPixels, writeDirectories } from './tiff-writer.js';

/*
 * The process that decompresses one TIFF: it writes the same image without compression, with the same georeference.
 * geotiff.js reads the container, ZSTD and LERC; sharp decodes blocks that are JPEG or WebP images.
 */

leaveSignalsToParent();

sharp.concurrency(1);
sharp.cache(false);

const jpeg = 7;
const webp = 50_001;

interface BlockParameters {
  planarConfiguration: number;
  samples: number;
  tables: Uint8Array | undefined;
}

/** A block of pixels that is a JPEG or WebP image. */
class PictureDecoder extends BaseDecoder {
  override async decodeBlock(block: ArrayBufferLike): Promise<ArrayBufferLike> {
    const { samples, tables } = this.parameters as unknown as BlockParameters;
    const bytes = Buffer.from(block as ArrayBuffer);
    // Tables shared by all blocks belong between the start marker of a JPEG and its remaining segments.
    const whole = tables ? Buffer.concat([tables.subarray(0, -2), bytes.subarray(2)]) : bytes;
    const picture = sharp(whole, { failOn: 'error' });
    const isFour = samples === 4 && bytes[0] === 0xff;
    const bands = isFour ? ofFour(picture) : shaped(picture, samples);
    const { data, info } = await bands.raw().toBuffer({ resolveWithObject: true });
    // Its values come inverted, as those of inks.
    if (isFour) for (let i = 0; i < data.length; i++) data[i] = 255 - data[i]!;
    if (info.channels !== samples) throw new Error('a block has other bands than the image');
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
  }
}

/** A JPEG of four bands passes for CMYK, which must not be converted: it is RGB and alpha. */
const ofFour = (picture: Sharp): Sharp => picture.pipelineColourspace('cmyk').toColourspace('cmyk');

/** The picture with the bands of the image. */
function shaped(picture: Sharp, samples: number): Sharp {
  if (samples === 1) return picture.toColourspace('b-w');
  if (samples === 3) return picture.removeAlpha();
  return samples === 4 ? picture.ensureAlpha() : picture;
}

addDecoder(
  [jpeg, webp],
  async () => PictureDecoder,
  async (directory) => {
    const planarConfiguration = Number(
      directory.hasTag('PlanarConfiguration') ? await directory.loadValue('PlanarConfiguration') : 1,
    );
    const all = Number(await directory.loadValue('SamplesPerPixel'));
    const tables = directory.hasTag('JPEGTables') ? await directory.loadValue('JPEGTables') : undefined;
    const bitsPerSample = await directory.loadValue('BitsPerSample');
    const samples = planarConfiguration === 2 ? 1 : all;
    return {
      tileWidth: 0,
      tileHeight: 0,
      predictor: 1,
      bitsPerSample,
      planarConfiguration,
      samples,
      tables,
    } as never;
  },
  false,
);

/** Number of decompressed bytes held at a time. */
const portion = 64 * 1024 * 1024;

/** Maximum size of one block in bytes; larger blocks occur only in hostile files. */
const mostOfBlock = 256 * 1024 * 1024;

async function decode(source: string, target: string): Promise<void> {
  const tiff = await tiffOf(source);
  const file = await fromFile(source);
  const image = whole(await file.getImage(0));
  const [width, height] = [image.getWidth(), image.getHeight()];
  const bits = numbers(tiff, tiff.entries.get(tag.bits))[0] ?? 1;
  if (bits % 8 !== 0) throw new Error(`values of ${bits} bits are not unpacked`);
  const samples = image.getSamplesPerPixel();
  const pixel = (bits / 8) * samples;
  if (image.getTileWidth() * image.getTileHeight() * pixel > mostOfBlock)
    throw new Error('its blocks are too large');
  const mask = await maskOf(file, image);
  const output = await open(target, 'wx');
  try {
    const pixels = await writePixels(output, startOfPixels, { image, rowBytes: width * (pixel + 1) });
    const own = { width, height, bits, samples };
    const directories = [[...entriesOf(tiff, own, pixels)]];
    let { end } = pixels;
    if (mask) {
      const masked = await writePixels(output, end, { image: mask, rowBytes: 2 * width, isMask: true });
      directories.push([...maskEntries(own, masked)]);
      end = masked.end;
    }
    await writeDirectories(output, end, directories);
  } finally {
    await output.close();
    file.close();
  }
}

/** An image that throws for a damaged block: for one, the decoder of ZSTD gives nothing, or what lies in its memory. */
function whole(image: GeoTIFFImage): GeoTIFFImage {
  const read = image.getTileOrStrip.bind(image);
  image.getTileOrStrip = async (x, y, sample, decoder, signal) => {
    const block = await read(x, y, sample, decoder, signal);
    const isApart = image.planarConfiguration === 2;
    const pixel = isApart ? image.getSampleByteSize(sample) : image.getBytesPerPixel();
    const row = image.getTileWidth() * pixel;
    const { byteLength } = block.data;
    if (byteLength < image.getBlockHeight(y) * row || byteLength > image.getTileHeight() * row)
      throw new Error('a block of its pixels is damaged');
    return block;
  };
  return image;
}

/** Where the pixels of an image lie in the new file. */
interface Pixels {
  rows: number;
  strips: readonly number[];
  sizes: readonly number[];
  end: number;
}

interface Decoded {
  image: GeoTIFFImage;
  /** Bytes of a row while it is decompressed. */
  rowBytes: number;
  isMask?: boolean;
}

/** Writes pixels row by row with interleaved bands, a portion at a time. */
async function writePixels(
  output: FileHandle,
  start: number,
  { image, rowBytes, isMask = false }: Decoded,
): Promise<Pixels> {
  const [width, height] = [image.getWidth(), image.getHeight()];
  const rows = rowsAtOnce(image, rowBytes);
  const [strips, sizes]: [number[], number[]] = [[], []];
  let end = start;
  for (let y = 0; y < height; y += rows) {
    const window = [0, y, width, Math.min(height, y + rows)];
    const pixels = (await image.readRasters({ window, interleave: true })) as unknown as Uint8Array;
    const bytes = isMask
      ? Buffer.from(pixels.map((value) => (value ? 255 : 0)))
      : Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
    const { bytesWritten } = await output.write(bytes, 0, bytes.length, end);
    if (bytesWritten < bytes.length) throw new Error('the disk of the service is full');
    strips.push(end);
    sizes.push(bytes.length);
    end += bytes.length;
  }
  return { rows, strips, sizes, end };
}

async function tiffOf(path: string): Promise<Tiff> {
  const file = await open(path);
  try {
    return await readTiff(file);
  } finally {
    await file.close();
  }
}

/** Decompresses whole blocks, if they are not too large. */
function rowsAtOnce(image: GeoTIFFImage, row: number): number {
  const most = Math.max(1, Math.floor(portion / row));
  const block = image.getTileHeight();
  return most > block ? most - (most % block) : most;
}

/** The mask of an image: another image of the same size with subfile type 4. */
async function maskOf(file: GeoTIFF, image: GeoTIFFImage): Promise<GeoTIFFImage | undefined> {
  for (let i = 1; i < (await file.getImageCount()); i++) {
    const other = await file.getImage(i);
    const kind = Number(
      other.fileDirectory.hasTag('NewSubfileType')
        ? await other.fileDirectory.loadValue('NewSubfileType')
        : 0,
    );
    if ((kind & 5) === 4 && other.getWidth() === image.getWidth() && other.getHeight() === image.getHeight())
      return whole(other);
  }
  return undefined;
}

interface Own {
  width: number;
  height: number;
  bits: number;
  samples: number;
}

/** Decompression has converted YCbCr to RGB. */
const [rgb, ycbcr] = [2, 6];

function* entriesOf(tiff: Tiff, own: Own, pixels: Pixels): Generator<Entry> {
  const photometric = numbers(tiff, tiff.entries.get(tag.photometric))[0] ?? 1;
  const format = numbers(tiff, tiff.entries.get(tag.format))[0] ?? 1;
  yield* pixelEntries(own, pixels);
  yield shorts(tag.photometric, [photometric === ycbcr ? rgb : photometric]);
  yield shorts(tag.format, repeated(format, own.samples));
  for (const key of [tag.extra, tag.colors, tag.nodata, tag.metadata, ...georeferenceTags]) {
    const entry = tiff.entries.get(key);
    if (entry) yield { key, ...littleEndian(tiff, entry) };
  }
}

const repeated = (value: number, times: number): number[] => Array.from({ length: times }, () => value);

/** A transparency mask (TIFF 6.0: subfile type and photometric interpretation 4). */
function* maskEntries({ width, height }: Own, pixels: Pixels): Generator<Entry> {
  yield* pixelEntries({ width, height, bits: 8, samples: 1 }, pixels);
  yield longs8(tag.subfile, [4]);
  yield shorts(tag.photometric, [4]);
}

function* pixelEntries(
  { width, height, bits, samples }: Own,
  { rows, strips, sizes }: Pixels,
): Generator<Entry> {
  yield longs8(tag.width, [width]);
  yield longs8(tag.height, [height]);
  yield shorts(tag.bits, repeated(bits, samples));
  yield shorts(tag.compression, [1]);
  yield longs8(tag.strips, strips);
  yield shorts(tag.samples, [samples]);
  yield longs8(tag.rows, [rows]);
  yield longs8(tag.stripSizes, sizes);
  yield shorts(tag.planar, [1]);
}

async function report(): Promise<DecodingReport> {
  try {
    await decode(process.argv[2]!, process.argv[3]!);
    return { error: null };
  } catch (error) {
    return {
      error: String((error as Error).message)
        .split('\n', 1)[0]!
        .slice(0, 200),
    };
  }
}

const done = await report();
process.send!(done, () => process.exit(0));

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Tile } from '../data/tiles.js';
import { demandTile, openClient } from '../load.js';
import type { TileServer } from '../peers/tile-server.js';

/** How much a picture of a peer differs from that of the service. */
export interface Likeness {
  /** Share of pixels that are not the background. */
  painted: number;
  theirPainted: number;
  /** Mean difference of the colours of blocks of pixels, 0 to 1, over the blocks in which one side painted. */
  distance: number;
}

const tileSide = 256;
const blockSide = 16;
/** The background is white or nearly so. */
const isBackground = (red: number, green: number, blue: number): boolean => Math.min(red, green, blue) >= 240;

/** Larger differences are reported: the relation of painted shares, and the distance. */
const [mostPainted, mostDistance] = [1.3, 0.12];
/** Shares closer than this are alike, whatever their relation. */
const paintedNear = 0.02;

/** Whether one side draws clearly less, or other colours. */
export function isAlike({ painted, theirPainted, distance }: Likeness): boolean {
  const [less, more] = [Math.min(painted, theirPainted), Math.max(painted, theirPainted)];
  return (more - less < paintedNear || more <= less * mostPainted) && distance <= mostDistance;
}

/** Pixels (RGB) of 2 × 2 tiles with this north-western one, or as near to it as the world allows. */
async function pictureOf(server: TileServer, { z, x, y }: Tile): Promise<Buffer> {
  const client = openClient(server.base, 4);
  try {
    const parts = await Promise.all(
      [0, 1, 2, 3].map(async (i) => {
        const [column, row] = [i % 2, i >> 1];
        const last = 2 ** z - 2;
        const path = server.path({ z, x: Math.min(x, last) + column, y: Math.min(y, last) + row });
        const answer = await client.get(path);
        demandTile(answer, path);
        return { input: answer.bytes, left: column * tileSide, top: row * tileSide };
      }),
    );
    const side = 2 * tileSide;
    const empty = { width: side, height: side, channels: 3 as const, background: '#ffffff' };
    return await sharp({ create: empty }).composite(parts).removeAlpha().raw().toBuffer();
  } finally {
    client.close();
  }
}

/** Compares 2 × 2 tiles of two servers, and writes both pictures into a folder if one is given. */
export async function compareTiles(
  [ours, theirs]: readonly [TileServer, TileServer],
  tile: Tile,
  file: { folder: string | undefined; name: string },
): Promise<Likeness> {
  const pictures = [await pictureOf(ours, tile), await pictureOf(theirs, tile)] as const;
  const side = 2 * tileSide;
  if (file.folder) {
    await mkdir(file.folder, { recursive: true });
    for (const [i, server] of [ours, theirs].entries())
      await sharp(pictures[i], { raw: { width: side, height: side, channels: 3 } })
        .png()
        .toFile(join(file.folder, `${file.name}-${server.name.replaceAll(' ', '-')}.png`));
  }
  return likeness(pictures, side);
}

/** Compares two pictures of RGB pixels. Pure. */
export function likeness([ours, theirs]: readonly [Uint8Array, Uint8Array], side: number): Likeness {
  const [own, other] = [blocksOf(ours, side), blocksOf(theirs, side)];
  const sum = (list: readonly Block[]): number => list.reduce((total, { painted }) => total + painted, 0);
  const drawn = own.flatMap((block, i) =>
    block.painted || other[i]!.painted ? [[block, other[i]!] as const] : [],
  );
  const distances = drawn.map(
    ([a, b]) =>
      (Math.abs(a.red - b.red) + Math.abs(a.green - b.green) + Math.abs(a.blue - b.blue)) / (3 * 255),
  );
  return {
    painted: sum(own) / (side * side),
    theirPainted: sum(other) / (side * side),
    distance: distances.length ? distances.reduce((a, b) => a + b, 0) / distances.length : 0,
  };
}

/** A block with its mean colour and its number of painted pixels. */
interface Block {
  red: number;
  green: number;
  blue: number;
  painted: number;
}

function blocksOf(pixels: Uint8Array, side: number): Block[] {
  const perSide = side / blockSide;
  const blocks = Array.from(
    { length: perSide ** 2 },
    (): Block => ({ red: 0, green: 0, blue: 0, painted: 0 }),
  );
  const share = 1 / blockSide ** 2;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const block = blocks[Math.floor(y / blockSide) * perSide + Math.floor(x / blockSide)]!;
      const at = 3 * (y * side + x);
      const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
      block.red += red * share;
      block.green += green * share;
      block.blue += blue * share;
      if (!isBackground(red, green, blue)) block.painted += 1;
    }
  return blocks;
}

/** A likeness as text: the shares of the service and of the peer, and the distance. */
export const likenessText = ({ painted, theirPainted, distance }: Likeness): string =>
  `${Math.round(100 * painted)} % and ${Math.round(100 * theirPainted)} % painted, distance ${distance.toFixed(2)}`;

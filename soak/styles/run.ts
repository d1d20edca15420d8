import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, ask } from '../client.js';
import type { Options } from '../options.js';
import { randomOf } from '../random.js';
import { type Service, startService } from '../service.js';
import { type Difference, differenceOf } from './compare.js';
import { makeLayers, map } from './data.js';
import { type RandomLook, randomLook } from './random-style.js';

/** Fast paths for layers as small as those of the run. */
export const fastSettings = {
  CARTULARY_SMALL_FEATURES_FROM: '1000',
  CARTULARY_SHAPE_PIECES_FROM: '200',
};
/** Mapnik draws all objects, whole. */
const generalSettings = {
  ...fastSettings,
  CARTULARY_SMALL_FEATURES_FROM: '0',
  CARTULARY_SHAPE_PIECES_FROM: '0',
  CARTULARY_FAST_LABELS: '0',
};

/** Limits of the differences. */
const limits: Difference = { mean: 4, most: 70 };

const levels = [2, 3, 4, 5, 6, 7, 8];

interface Tile {
  z: number;
  x: number;
  y: number;
  /** Pixels per pixel of the style. */
  retina: number;
}

/** 2 × 2 tiles of each level around a position within the data, at most. */
function tilesOf(seed: number): Tile[] {
  const random = randomOf(seed);
  return levels.flatMap((z) => {
    const retina = random.pick([1, 1, 2]);
    const [x, y] = [0.35 + 0.3 * random.next(), 0.38 + 0.24 * random.next()].map((at) =>
      Math.floor(at * 2 ** z),
    );
    return [0, 1, 2, 3].map((i) => ({ z, x: x! + (i % 2), y: y! + Math.floor(i / 2), retina }));
  });
}

/** Draws maps in random styles with and without the fast paths, and compares them. Returns the number of maps that differ. */
export async function runStyles(fast: Service, options: Options): Promise<number> {
  const general = await startService(options.databaseUrl, generalSettings);
  try {
    for (const service of [fast, general]) await makeLayers(service);
    let faults = 0;
    const end = performance.now() + options.minutes * 60_000;
    for (let i = 0; i < options.styles && performance.now() < end; i++) {
      const seed = options.seed + i;
      const look = randomLook(randomOf(seed));
      if (await differs([fast, general], seed, look, options)) faults++;
    }
    return faults;
  } finally {
    await general.close();
  }
}

async function differs(
  services: readonly [Service, Service],
  seed: number,
  look: RandomLook,
  { report }: Options,
): Promise<boolean> {
  const query = await dress(services, look);
  if (!query) return false;
  const found = await Promise.all(
    tilesOf(seed).map(async (tile) => {
      const path = `/tms/demo/${map}/?z=${tile.z}&x=${tile.x}&y=${2 ** tile.z - 1 - tile.y}&retina=${tile.retina}&${query}`;
      const answers = await Promise.all(services.map((service) => answerOf(service, path)));
      const difference = differenceBetween(answers);
      if (!isFault(difference)) return difference;
      await keep(join(report, `style-${seed}`), look, tile, answers);
      console.log(`FAULT style ${seed}, ${tile.z}/${tile.x}/${tile.y}: ${text(difference)}`);
      return difference;
    }),
  );
  const worst = {
    mean: Math.max(...found.map(({ mean }) => mean)),
    most: Math.max(...found.map(({ most }) => most)),
  };
  console.log(`style ${seed}: ${text(worst)}`);
  return found.some(isFault);
}

const isFault = ({ mean, most }: Difference): boolean => mean > limits.mean || most > limits.most;

/** What the general path cannot draw in time is no fault of the fast ones. */
function differenceBetween([fast, general]: readonly Answer[]): Difference {
  if (general!.status !== 200) return { mean: 0, most: 0 };
  return fast!.status === 200 ? differenceOf(fast!.bytes, general!.bytes) : { mean: 255, most: 255 };
}

const text = ({ mean, most }: Difference): string => `mean ${mean.toFixed(1)}, most ${most.toFixed(0)}`;

/** Gives both maps the look. Returns the query that shows its layers; undefined: the service refuses a style. */
async function dress(
  services: readonly Service[],
  { map: ownStyle, layers }: RandomLook,
): Promise<string | undefined> {
  const ids: number[] = [];
  for (const service of services) {
    await service.make('PATCH', `/${map}/`, { css_style: ownStyle });
    ids.length = 0;
    for (const [code, css_style] of Object.entries(layers)) {
      const path = `/api/2.8/demo/${map}/layers/${code}/`;
      const { status, json } = await service.admin({ method: 'PATCH', path, body: { css_style } });
      if (json.code === 'style_invalid') return undefined;
      if (status !== 200) throw new Error(`${path}: ${status} ${json.message}`);
      ids.push(json.id);
    }
  }
  return `layers=${ids.join(',')}`;
}

/** Asks for a picture. Throws unless it is there, or drawing takes too long. */
async function answerOf(service: Service, path: string): Promise<Answer> {
  const answer = await ask(service.url, {
    method: 'GET',
    path,
    headers: { accept: 'application/json, image/png' },
  });
  if (answer.status !== 200 && answer.json?.code !== 'timeout')
    throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer;
}

async function keep(
  folder: string,
  { map: ownStyle, layers }: RandomLook,
  { z, x, y }: Tile,
  answers: readonly Answer[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'style.mss'), [ownStyle, ...Object.values(layers)].join('\n'));
  for (const [i, name] of ['fast', 'general'].entries())
    await writeFile(join(folder, `${z}-${x}-${y}-${name}.png`), answers[i]!.bytes);
}

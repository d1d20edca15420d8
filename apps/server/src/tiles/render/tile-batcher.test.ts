import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import { tagOf } from '../cache/memory-cache.js';
import type { TilePlan } from '../plan/plan.js';
import type { TileRequest } from '../plan/tile-request.js';
import type { FeatureChunks } from '../small-features/chunks.js';
import type { DrawJob } from './draw-job.js';
import type { Tile } from './pending-tile.js';
import { TileBatcher } from './tile-batcher.js';

const z = 6;
const plan = {
  key: 'plan',
  sources: [],
  isKept: true,
  externals: [],
  bufferSize: 8,
  withSprites: async () => undefined,
} as unknown as TilePlan;

/** A batcher whose renderer takes a job on command; its tiles have as many bytes as the job has tiles. */
function makeBatcher(together = 20, fill: FeatureChunks['fill'] = async () => undefined) {
  type End = (error?: Error) => void;
  const queue: (() => End)[] = [];
  const jobs: string[] = [];
  const kept = new Map<string, Tile>();
  const noted = ({ columns, rows, extent }: DrawJob): Uint8Array[] => {
    const [west, , east, north] = tileExtent(z, 0, 0);
    const place = [extent[0] - west, north - extent[3]].map((far) => Math.round(far / (east - west)));
    jobs.push(`${columns}x${rows} at ${place.join()}`);
    return Array.from({ length: columns * rows }, () => new Uint8Array(columns * rows));
  };
  const render = (job: DrawJob, signal?: AbortSignal, grow: () => DrawJob = () => job) =>
    new Promise<Uint8Array[]>((resolve, reject) => {
      const begin = (): End => {
        const pictures = noted(grow());
        return (error) => (error ? reject(error) : resolve(pictures));
      };
      const left = (): void => {
        if (queue.includes(begin)) queue.splice(queue.indexOf(begin), 1);
        reject(signal!.reason);
      };
      if (signal?.aborted) return left();
      signal?.addEventListener('abort', left);
      queue.push(begin);
    });
  const tiles = {
    find: async ({ key }: { key: string }) => kept.get(key) as never,
    keep: ({ key }: { key: string }, bytes: Uint8Array) => {
      kept.set(key, { bytes, tag: tagOf(bytes) });
      return kept.get(key) as never;
    },
  };
  const caches = { keeps: true, tiles };
  const batcher = new TileBatcher({
    renderers: { render },
    caches,
    config: { tilesTogether: together },
    smallFeatures: { fill, refuse: () => {} },
  });
  /** A renderer takes the oldest job; returns the function that ends it. */
  const begin = async (): Promise<End> => {
    await sleep(20);
    return queue.shift()!();
  };
  return {
    jobs,
    kept,
    begin,
    /** Requests a tile; returns its number of bytes. */
    ask: (x: number, y: number, signal = new AbortController().signal, of = plan) =>
      batcher.draw({ z, x, y, scale: 1 } as TileRequest, of, signal).then(({ bytes }) => bytes.length),
    /** A renderer draws the oldest job; returns the number of waiting jobs. */
    async step(error?: Error) {
      (await begin())(error);
      await sleep(5);
      return queue.length;
    },
  };
}

test('waiting neighbours are drawn once, with the tiles between them', async () => {
  const { ask, step, jobs, kept } = makeBatcher();
  const asked = [ask(1, 1), ask(2, 1), ask(1, 2), ask(1, 1), ask(9, 9)];
  assert.equal(await step(), 1);
  assert.deepEqual(await Promise.all(asked.slice(0, 4)), [4, 4, 4, 4]);
  assert.equal(kept.size, 4);
  assert.equal(await step(), 0);
  assert.equal(await asked[4], 1);
  assert.deepEqual(jobs, ['2x2 at 1,1', '1x1 at 9,9']);
  assert.equal(await ask(2, 2), 4, 'kept');
});

test('a tile that is being drawn is not drawn again, requested or not', async () => {
  const { ask, begin, jobs } = makeBatcher();
  const first = [ask(1, 1), ask(2, 1), ask(1, 2)];
  const end = await begin();
  const later = [ask(2, 2), ask(1, 1)];
  await sleep(20);
  end();
  assert.deepEqual(await Promise.all([...first, ...later]), [4, 4, 4, 4, 4]);
  assert.deepEqual(jobs, ['2x2 at 1,1']);
});

test('an aborted request is not drawn, unless others wait for the same tile', async () => {
  const { ask, step, jobs } = makeBatcher();
  const leave = new AbortController();
  const [gone, stays] = [ask(1, 1, leave.signal), ask(2, 1)];
  const [both, other] = [ask(3, 1, leave.signal), ask(3, 1)];
  await sleep(10);
  leave.abort(new Error('gone'));
  await assert.rejects(gone, /gone/);
  assert.equal(await step(), 0);
  assert.deepEqual(await Promise.all([stays, both, other]), [2, 2, 2]);
  assert.deepEqual(jobs, ['2x1 at 2,1']);
  const again = ask(1, 1);
  await step();
  assert.equal(await again, 1, 'it can be asked for again');
});

test('a failure rejects all tiles of the batch, and the next request tries again', async () => {
  const { ask, step, jobs } = makeBatcher();
  const asked = [ask(1, 1), ask(2, 1)].map((tile) => assert.rejects(tile, /no luck/));
  await step(new Error('no luck'));
  await Promise.all(asked);
  const again = ask(2, 1);
  await step();
  assert.equal(await again, 1);
  assert.deepEqual(jobs, ['2x1 at 1,1', '1x1 at 2,1']);
});

test('a tile that waits for its chunks is drawn, also when neighbours draw its tiles', async () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { ask, step, jobs } = makeBatcher(20, async () => {
    await opened;
    return undefined;
  });
  const withSprites = {
    ...plan,
    withSprites: async () => ({ sources: [], above: [] }),
  } as unknown as TilePlan;
  const askFor = (x: number, y: number) => ask(x, y, undefined, withSprites);
  const first = [askFor(1, 1), askFor(2, 1)];
  await sleep(20);
  const around = [askFor(1, 0), askFor(2, 0), askFor(1, 2)];
  await sleep(20);
  open();
  for (let left = 1; left > 0; ) left = await step();
  assert.deepEqual(await Promise.all(first), [2, 2]);
  assert.deepEqual(await Promise.all(around), [6, 6, 6]);
  assert.deepEqual(jobs.sort(), ['2x1 at 1,1', '2x3 at 1,0']);
});

test('only tiles of the same data share a batch, up to the limit', async () => {
  const { ask, step, jobs } = makeBatcher(2);
  const newer = { ...plan, sources: [{ id: 1, version: 2, area: 0 }] } as unknown as TilePlan;
  const asked = [ask(1, 1), ask(2, 1), ask(3, 1), ask(4, 1, undefined, newer)];
  for (let left = 1; left > 0; ) left = await step();
  await Promise.all(asked);
  assert.deepEqual(jobs.sort(), ['1x1 at 3,1', '1x1 at 4,1', '2x1 at 1,1']);
  const alone = makeBatcher(1);
  const two = [alone.ask(1, 1), alone.ask(2, 1)];
  for (let left = 1; left > 0; ) left = await alone.step();
  await Promise.all(two);
  assert.deepEqual(alone.jobs, ['1x1 at 1,1', '1x1 at 2,1']);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { layerPath, polygonLayer } from '../data/layer.js';
import { randomTiles } from '../data/tiles.js';
import { type Finding, quantile } from '../measure.js';
import { wrk } from '../peers/wrk.js';
import { readers, type Service, serviceOf } from '../service.js';
import type { Stage } from '../stage.js';
import type { Row } from './row.js';
import { ownTiles } from './tiles.js';

/** Pause between writes. */
const pauseMs = 25;
/** Factor of a round's duration: a 95th percentile needs more than the 60 writes of a normal round. */
const durationFactor = 4;

/** Row 9: latency of writes during reads. */
export const writes: Row = {
  code: 'writes',
  what: `changing an object while ${readers} readers load tiles, relative to alone: 95th percentile`,
  async measure(stage) {
    await polygonLayer(stage);
    const service = await serviceOf(stage);
    const values: number[] = [];
    await writing(stage, service, 0);
    for (let round = 0; round < stage.options.rounds; round++) {
      const alone = await writing(stage, service, round);
      const among = await amongReaders(stage, service, round);
      values.push(quantile(among, 0.95) / quantile(alone, 0.95));
    }
    const finding: Finding = { work: this.what, unit: '', values, target: { below: 2 } };
    return { findings: [finding] };
  },
};

/** Changes objects one after the other. Returns the milliseconds of each write. */
async function writing({ options }: Stage, service: Service, round: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + durationFactor * options.seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    const id = 1 + ((round * 997 + i) % options.features);
    const start = performance.now();
    await service.admin('PUT', `${layerPath}/objects/${id}/`, { fields: { value: i } });
    times.push(performance.now() - start);
    await sleep(pauseMs);
  }
  return times;
}

async function amongReaders(stage: Stage, service: Service, round: number): Promise<number[]> {
  const { features, seconds } = stage.options;
  const own = ownTiles(service);
  const tiles = randomTiles(2_000 * durationFactor, {
    polygons: features,
    zooms: [8, 12],
    seed: 9_000 + round,
  });
  const reading = wrk(stage, {
    base: own.base,
    paths: tiles.map(own.path),
    connections: readers,
    seconds: durationFactor * seconds + 1,
  });
  await sleep(500);
  const times = await writing(stage, service, round + 1);
  await reading;
  return times;
}

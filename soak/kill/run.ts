import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '@cartulary/bench/measure.js';
import { ask } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import type { Service } from '../service.js';
import { inspect } from './inspect.js';
import { type Journal, verify, write } from './writer.js';
import { writers } from './writers.js';

/** Maximum number of writes and duration before a kill. */
const maxWrites = 80;
const maxWritingMs = 10_000;
/** Probability of a kill right after the start of writing. */
const earlyKillProbability = 0.3;
/** Probability of a further kill during the start. */
const startKillProbability = 0.15;
/** Number of kills between two inspections. */
const inspectionInterval = 25;
/** Number of clients that read all the time, also during a start. */
const readerCount = 4;

interface Run {
  service: Service;
  journals: Journal[];
  random: Random;
  starts: number[];
  lost: string[];
  half: string[];
  leftOver: string[];
}

/** Kills the service repeatedly while it writes. Prints the fate of the writes and returns the number of faults. */
export async function runKills(service: Service, options: Options): Promise<number> {
  const random = randomOf(options.seed);
  const run: Run = {
    service,
    journals: [],
    random,
    starts: [],
    lost: [],
    half: [],
    leftOver: [],
  };
  for (const writer of writers) {
    const state = await writer.prepare(service);
    run.journals.push({ writer, state, pending: undefined, acknowledged: 0, refused: new Map() });
  }
  const reading = startReaders(service);
  const end = performance.now() + options.minutes * 60_000;
  let [kills, inspectedAt] = [0, 0];
  while (kills < options.kills && performance.now() < end) {
    kills += await runCycle(run);
    if (kills < inspectedAt + inspectionInterval) continue;
    await inspectStopped(run);
    inspectedAt = kills;
    console.log(`${kills} kills, ${writesOf(run)} writes acknowledged`);
  }
  await reading.end();
  await inspectStopped(run);
  return report(run, kills, options.start);
}

/** One cycle: write, kill, start, verify. Returns the number of kills. */
async function runCycle(run: Run): Promise<number> {
  const { service, random, journals } = run;
  let isOver = false;
  const writing = journals.map((journal) =>
    write(journal, service, randomOf(random.below(2 ** 32)), () => isOver),
  );
  if (!random.chance(earlyKillProbability)) await acknowledged(run, random.below(maxWrites));
  await sleep(random.next() * 100);
  isOver = true;
  await service.kill(random.chance(0.5));
  await Promise.all(writing);
  let kills = 1;
  while (random.chance(startKillProbability)) {
    const starting = service.start().catch(() => {});
    await sleep(random.next() * 2_500);
    await service.kill(random.chance(0.5));
    await starting;
    kills += 1;
  }
  run.starts.push(await service.start());
  await jobsEnded(service);
  for (const journal of journals) {
    const wrong = await verify(journal, service).catch((error: Error) => ({
      kind: 'lost' as const,
      text: `${journal.writer.name}: ${error.message}`,
    }));
    if (!wrong) continue;
    run[wrong.kind].push(wrong.text);
    console.log(`FAULT ${wrong.kind}: ${wrong.text}`);
  }
  return kills;
}

/** Time within which resumed jobs must end. */
const jobsTimeoutMs = 120_000;

/** Waits until interrupted jobs have ended, because the state includes their results. */
async function jobsEnded(service: Service): Promise<void> {
  const end = performance.now() + jobsTimeoutMs;
  const isOpen = ({ state }: { state: string }): boolean => state === 'queued' || state === 'running';
  while (performance.now() < end) {
    const jobs: { state: string }[] = await service.make('GET', '/jobs/?limit=1000');
    if (!jobs.some(isOpen)) return;
    await sleep(50);
  }
}

const writesOf = ({ journals }: Run): number =>
  journals.reduce((sum, journal) => sum + journal.acknowledged, 0);

/** Waits for a number of acknowledged writes, at most `maxWritingMs`. */
async function acknowledged(run: Run, count: number): Promise<void> {
  const enough = writesOf(run) + count;
  const end = performance.now() + maxWritingMs;
  while (writesOf(run) < enough && performance.now() < end) await sleep(5);
}

/** Stops the service, inspects its data, and starts it again. */
async function inspectStopped(run: Run): Promise<void> {
  const { service } = run;
  await service.stop();
  const found = await inspect(service);
  for (const command of await service.orphans()) found.push(`the process ${command} still runs`);
  for (const text of found) if (!run.leftOver.includes(text)) run.leftOver.push(text);
  for (const text of found) console.log(`FAULT left over: ${text}`);
  await service.start();
}

/** Starts clients that request tiles and lists and ignore the responses. */
function startReaders(service: Service): { end(): Promise<void> } {
  let isOver = false;
  const paths = [
    '/tms/demo/w_styles/?z=3&x=4&y=4',
    '/api/2.8/demo/w_imports/layers/a/objects/?limit=50',
    '/api/2.8/demo/w_tree/layers/',
  ];
  const read = async (): Promise<void> => {
    for (let i = 0; !isOver; i++) {
      await ask(service.url, { method: 'GET', path: paths[i % paths.length]!, timeoutMs: 5_000 }).catch(() =>
        sleep(20),
      );
      await sleep(20);
    }
  };
  const reading = Promise.all(Array.from({ length: readerCount }, read));
  return {
    async end() {
      isOver = true;
      await reading;
    },
  };
}

function report(run: Run, kills: number, maxMedianStartS: number): number {
  const { journals, starts, lost, half, leftOver } = run;
  for (const { writer, acknowledged, refused } of journals) {
    console.log(`  ${writer.name.padEnd(20)} ${acknowledged} writes acknowledged`);
    for (const [message, count] of refused) console.log(`    ${count} refused: ${message}`);
  }
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const [median, max] = [quantile(starts, 0.5), Math.max(...starts)];
  console.log(
    `${kills} kills, ${writesOf(run)} writes acknowledged, ${lost.length} lost, ${half.length} half done`,
  );
  console.log(`${leftOver.length} left over`);
  console.log(`start until ready: ${seconds(median)} s p50, ${seconds(max)} s at most`);
  const isSlow = median > maxMedianStartS * 1_000;
  if (isSlow) console.log(`FAULT half of the starts took longer than ${maxMedianStartS} s`);
  return lost.length + half.length + leftOver.length + Number(isSlow);
}

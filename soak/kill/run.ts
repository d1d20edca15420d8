import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../bench/measure.js';
import { ask } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import type { Service } from '../service.js';
import { inspect } from './inspect.js';
import { type Journal, verify, write } from './writer.js';
import { writers } from './writers.js';

/** Most writes that are waited for before the service is ended, and for how long, ms. */
const mostWrites = 80;
const longestLife = 10_000;
/** How often it is ended within the first moments of writing. */
const soonPart = 0.3;
/** How often it is ended once more while it starts. */
const againPart = 0.15;
/** Kills between two looks at what is left over. */
const inspectEvery = 25;
/** Clients that read all the while, also while it starts. */
const readers = 4;

interface Run {
  service: Service;
  journals: Journal[];
  random: Random;
  starts: number[];
  lost: string[];
  half: string[];
  leftOver: string[];
  unnamedFiles: number;
}

/** Ends the service again and again while it writes, and prints what became of the writes: the number of faults. */
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
    unnamedFiles: 0,
  };
  for (const writer of writers) {
    const state = await writer.prepare(service);
    run.journals.push({ writer, state, pending: undefined, acknowledged: 0, refused: new Map() });
  }
  const reading = readAllTheWhile(service);
  const end = performance.now() + options.minutes * 60_000;
  let [kills, looked] = [0, 0];
  while (kills < options.kills && performance.now() < end) {
    kills += await oneLife(run);
    if (kills < looked + inspectEvery) continue;
    await look(run);
    looked = kills;
    console.log(`${kills} kills, ${writesOf(run)} writes acknowledged`);
  }
  await reading.end();
  await look(run);
  return report(run, kills, options.start);
}

/** The service writes, is ended and starts: how often it was ended. */
async function oneLife(run: Run): Promise<number> {
  const { service, random, journals } = run;
  let isOver = false;
  const writing = journals.map((journal) =>
    write(journal, service, randomOf(random.below(2 ** 32)), () => isOver),
  );
  if (!random.chance(soonPart)) await acknowledged(run, random.below(mostWrites));
  await sleep(random.next() * 100);
  isOver = true;
  await service.kill(random.chance(0.5));
  await Promise.all(writing);
  let kills = 1;
  while (random.chance(againPart)) {
    const starting = service.start().catch(() => {});
    await sleep(random.next() * 2_500);
    await service.kill(random.chance(0.5));
    await starting;
    kills += 1;
  }
  run.starts.push(await service.start());
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

const writesOf = ({ journals }: Run): number =>
  journals.reduce((sum, journal) => sum + journal.acknowledged, 0);

/** Waits for so many writes, or as long as a life lasts. */
async function acknowledged(run: Run, count: number): Promise<void> {
  const enough = writesOf(run) + count;
  const end = performance.now() + longestLife;
  while (writesOf(run) < enough && performance.now() < end) await sleep(5);
}

/** Stops the service in peace, looks at what is left over, and starts it again. */
async function look(run: Run): Promise<void> {
  const { service } = run;
  await service.stop();
  const { found, unnamedFiles } = await inspect(service);
  run.unnamedFiles = unnamedFiles;
  for (const command of await service.orphans()) found.push(`the process ${command} still runs`);
  for (const text of found) if (!run.leftOver.includes(text)) run.leftOver.push(text);
  for (const text of found) console.log(`FAULT left over: ${text}`);
  await service.start();
}

/** Clients that ask for tiles and lists, and do not mind what is answered. */
function readAllTheWhile(service: Service): { end(): Promise<void> } {
  let isOver = false;
  const paths = [
    '/tms/demo/w_styles/?z=3&x=4&y=4',
    '/api/2.8/demo/w_imports/layers/a/objects/?limit=50',
    '/api/2.8/demo/w_tree/layers/',
  ];
  const read = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      await ask(service.url, { method: 'GET', path: paths[turn % paths.length]!, timeoutMs: 5_000 }).catch(
        () => sleep(20),
      );
      await sleep(20);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, read));
  return {
    async end() {
      isOver = true;
      await reading;
    },
  };
}

function report(run: Run, kills: number, usualStart: number): number {
  const { journals, starts, lost, half, leftOver, unnamedFiles } = run;
  for (const { writer, acknowledged, refused } of journals) {
    console.log(`  ${writer.name.padEnd(20)} ${acknowledged} writes acknowledged`);
    for (const [message, count] of refused) console.log(`    ${count} refused: ${message}`);
  }
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const [usual, longest] = [quantile(starts, 0.5), Math.max(...starts)];
  console.log(
    `${kills} kills, ${writesOf(run)} writes acknowledged, ${lost.length} lost, ${half.length} half done`,
  );
  console.log(
    `${leftOver.length} left over; ${unnamedFiles} files of writes that were cut off wait for their removal`,
  );
  console.log(`start until ready: ${seconds(usual)} s p50, ${seconds(longest)} s at most`);
  const isSlow = usual > usualStart * 1_000;
  if (isSlow) console.log(`FAULT half of the starts took longer than ${usualStart} s`);
  return lost.length + half.length + leftOver.length + Number(isSlow);
}

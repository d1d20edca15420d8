import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from '../../bench/measure.js';
import { memoryOf } from '../../bench/memory.js';
import { ask } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import { descendants, endProcess, type Service } from '../service.js';
import { attacker, makeTown, password } from './town.js';
import { kinds, lookAround, type Record } from './users.js';

/** Processes of the service that are ended at random. Its threads cannot be ended from outside. */
const victims = /renderer|engine-process|sheet-process|projection-process|decode-process/;
/** ms between two looks, and how likely each that is found is ended: converters live for a second or two. */
const killPeriod = 250;
const rendererPart = 0.03;
const converterPart = 0.15;
/** Longest time after the load in which memory must be back, ms. */
const longestRest = 60_000;
/** Times below it are those of the clients' own machine, ms. */
const leastTime = 20;

/** Ordinary users beside hostile clients and killed processes. Prints what they saw: the number of faults. */
export async function runLoad(service: Service, options: Options): Promise<number> {
  const { users, seed, minutes, factor } = options;
  await makeTown(service);
  const ms = minutes * 60_000;
  await lookAround(service.url, users, 5_000, seed);
  const idle = await lookAround(service.url, users, Math.min(60_000, Math.max(10_000, ms / 5)), seed + 1);
  const { pid } = service;
  const before = await memoryOf(pid);
  const allowed = 1 + options.memory / 100;
  console.log(`${users} users alone: seen, now beside hostile clients for ${minutes} minutes`);

  const memory = watch(pid);
  const killing = killAtRandom(pid, randomOf(seed));
  const hostile = await startHostile(service.url, seed);
  const under = await lookAround(service.url, users, ms, seed + 2);
  const attacked = await endHostile(hostile);
  const killed = await killing.end();
  const most = memory.end();
  const after = service.hasEnded() ? 0 : await rested(pid, before * allowed);

  const faults = reportTimes(idle, under, factor);
  console.log(`hostile clients: ${attacked}; processes killed: ${killed}`);
  const isRestarted = service.hasEnded() || service.pid !== pid;
  if (isRestarted) console.log('FAULT the server ended');
  const log = service
    .log()
    .split('\n')
    .filter((line) => /unforeseen fault|embedded database ended/.test(line));
  if (log.length) console.log(`FAULT ${log.length} lines in the log, such as ${log[0]!.slice(0, 1_000)}`);
  const isBack = after <= before * allowed;
  console.log(`memory: ${mib(before)} before, ${mib(most)} at most, ${mib(after)} afterwards`);
  if (!isBack) console.log(`FAULT memory is not back: ${await byProcess(pid)}`);
  return faults + Number(isRestarted) + log.length + Number(!isBack);
}

const mib = (value: number): string => `${Math.round(value)} MiB`;

async function startHostile(url: string, seed: number): Promise<ChildProcess> {
  const body = { login: attacker, password };
  const { json } = await ask(url, { method: 'POST', path: '/api/2.8/demo/login/', body });
  const script = fileURLToPath(new URL('./attack-process.js', import.meta.url));
  return fork(script, [url, json.token, String(seed)]);
}

/** Ends the hostile clients: what they did, by kind. */
async function endHostile(child: ChildProcess): Promise<string> {
  const told = once(child, 'message');
  child.send('counts');
  const [counts] = await told;
  child.kill('SIGKILL');
  return textOf(Object.entries(counts));
}

const textOf = (counts: Iterable<[string, unknown]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';

/** Ends renderers and converters now and then, as it would be without memory. */
function killAtRandom(pid: number, random: Random): { end(): Promise<string> } {
  const killed = new Map<string, number>();
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      await sleep(killPeriod);
      for (const { pid: victim, command } of await descendants(pid)) {
        const [name] = victims.exec(command) ?? [];
        if (name === undefined || !random.chance(name === 'renderer' ? rendererPart : converterPart))
          continue;
        endProcess(victim);
        killed.set(name, (killed.get(name) ?? 0) + 1);
      }
    }
  })();
  return {
    async end() {
      isOver = true;
      await work;
      return textOf(killed);
    },
  };
}

/** Looks once a second how much memory the service takes. */
function watch(pid: number): { end(): number } {
  let most = 0;
  let isOver = false;
  void (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOf(pid));
      await sleep(1_000, undefined, { ref: false });
    }
  })();
  return {
    end() {
      isOver = true;
      return most;
    },
  };
}

/** The memory of all processes together, and of each below the first. */
async function byProcess(pid: number): Promise<string> {
  const below = await descendants(pid);
  const all = [{ pid, command: 'all' }, ...below];
  const texts = all.map(
    async (one) =>
      `${/[\w-]+(?=\.js)/.exec(one.command)?.[0] ?? one.command} ${mib(await memoryOf(one.pid))}`,
  );
  return (await Promise.all(texts)).join(', ');
}

/** Memory when it is back at what is wanted, or the time is over, MiB. */
async function rested(pid: number, wanted: number): Promise<number> {
  const end = performance.now() + longestRest;
  for (;;) {
    const now = await memoryOf(pid);
    if (now <= wanted || performance.now() > end) return now;
    await sleep(1_000);
  }
}

/** Prints times by kind and errors: the number of faults. */
function reportTimes(idle: Record, under: Record, factor: number): number {
  let faults = 0;
  const p99 = (list: readonly number[] = []): number => (list.length ? quantile(list, 0.99) : Number.NaN);
  console.log('kind       requests   p99 alone   p99 under load');
  for (const [name, { isCheap }] of Object.entries(kinds)) {
    const [alone, loaded] = [p99(idle.times.get(name)), p99(under.times.get(name))];
    const isSlow = isCheap && loaded > factor * Math.max(alone, leastTime);
    if (isSlow) faults += 1;
    const count = under.times.get(name)?.length ?? 0;
    const cells = [
      String(count).padStart(8),
      `${alone.toFixed(0)} ms`.padStart(11),
      `${loaded.toFixed(0)} ms`.padStart(16),
    ];
    console.log(`${name.padEnd(10)} ${cells.join(' ')}${isSlow ? `  FAULT more than ${factor} times` : ''}`);
  }
  for (const { errors, phase } of [
    { errors: idle.errors, phase: 'alone' },
    { errors: under.errors, phase: 'under load' },
  ])
    for (const [text, count] of errors) {
      faults += count;
      console.log(`FAULT ${count} times ${phase}: ${text}`);
    }
  return faults;
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from '@cartulary/bench/measure.js';
import { memoryOf } from '@cartulary/bench/memory.js';
import { ask } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import { descendants, endProcess, type Service } from '../service.js';
import { attacks } from './attacks.js';
import { attacker, makeTown, password } from './town.js';
import { kinds, lookAround, type Record } from './users.js';

/** Child processes that are killed at random. Threads cannot be killed from outside. */
const victims = /renderer\/\S*\bworker(?=\.js)|(?:engine|sheet|projection|decode)-process/;
/** Interval between kills, and the probability for each process: converters live for a second or two. */
const killIntervalMs = 250;
const rendererKillProbability = 0.03;
const converterKillProbability = 0.15;
/** Time after the load within which memory must return to its limit. */
const memoryTimeoutMs = 60_000;
/** Beginning of the load, when all attacks start at once, ms; its times are also told apart. */
const startMs = 10_000;
/** Shorter times are within the noise of the clients' machine. */
const minTimeMs = 20;

/** Runs ordinary users beside hostile clients and killed processes. Prints the results and returns the number of faults. */
export async function runLoad(service: Service, options: Options): Promise<number> {
  const { users, seed, minutes, factor } = options;
  await makeTown(service);
  const ms = minutes * 60_000;
  await lookAround(service.url, users, 5_000, seed);
  const idle = await lookAround(service.url, users, Math.min(60_000, Math.max(10_000, ms / 5)), seed + 1);
  const { pid } = service;
  const before = await memoryOf(pid);
  const allowed = 1 + options.memory / 100;
  console.log(`${users} users alone: measured; now beside hostile clients for ${minutes} minutes`);

  const memory = watch(pid);
  const killing = killAtRandom(pid, randomOf(seed));
  const hostile = await startHostile(service.url, options);
  const start = await lookAround(service.url, users, Math.min(ms, startMs), seed + 2);
  const later = await lookAround(service.url, users, Math.max(0, ms - startMs), seed + 3);
  const attacked = await endHostile(hostile);
  const killed = await killing.end();
  const most = memory.end();
  const after = service.hasEnded() ? 0 : await memoryAfterRest(pid, before * allowed);

  const faults = reportTimes(idle, start, later, factor);
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

async function startHostile(url: string, { seed, attacks: names }: Options): Promise<ChildProcess> {
  const unknown = names?.find((name) => !Object.hasOwn(attacks, name));
  if (unknown !== undefined)
    throw new RangeError(`there is no attack '${unknown}': ${Object.keys(attacks).join(', ')}`);
  const body = { login: attacker, password };
  const { json } = await ask(url, { method: 'POST', path: '/api/2.8/demo/login/', body });
  const script = fileURLToPath(new URL('./attack-process.js', import.meta.url));
  return fork(script, [url, json.token, String(seed), ...(names ?? Object.keys(attacks))]);
}

/** Ends the hostile clients. Returns the number of attacks by kind. */
async function endHostile(child: ChildProcess): Promise<string> {
  const told = once(child, 'message');
  child.send('counts');
  const [counts] = await told;
  child.kill('SIGKILL');
  return textOf(Object.entries(counts));
}

const textOf = (counts: Iterable<[string, unknown]>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';

/** Kills renderers and converters at random, like the kernel does when memory runs out. */
function killAtRandom(pid: number, random: Random): { end(): Promise<string> } {
  const killed = new Map<string, number>();
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      await sleep(killIntervalMs);
      for (const { pid: victim, command } of await descendants(pid)) {
        const [match] = victims.exec(command) ?? [];
        if (match === undefined) continue;
        const name = match.endsWith('worker') ? 'renderer' : match;
        if (!random.chance(name === 'renderer' ? rendererKillProbability : converterKillProbability))
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

/** Samples the memory of the service once a second. */
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

/** The memory of all processes in total, and of each descendant. */
async function byProcess(pid: number): Promise<string> {
  const below = await descendants(pid);
  const all = [{ pid, command: 'all' }, ...below];
  const texts = all.map(
    async (one) =>
      `${/[\w-]+(?=\.js)/.exec(one.command)?.[0] ?? one.command} ${mib(await memoryOf(one.pid))}`,
  );
  return (await Promise.all(texts)).join(', ');
}

/** Waits until memory is down to the limit, or for the timeout. Returns the memory in MiB. */
async function memoryAfterRest(pid: number, wanted: number): Promise<number> {
  const end = performance.now() + memoryTimeoutMs;
  for (;;) {
    const now = await memoryOf(pid);
    if (now <= wanted || performance.now() > end) return now;
    await sleep(1_000);
  }
}

/** Prints times by kind and errors. Returns the number of faults. */
function reportTimes(idle: Record, start: Record, later: Record, factor: number): number {
  let faults = 0;
  const p99 = (list: readonly number[]): number => (list.length ? quantile(list, 0.99) : Number.NaN);
  const cell = (ms: number, width: number): string => `${ms.toFixed(0)} ms`.padStart(width);
  console.log('kind       requests   p99 alone   p99 under load   of the start   afterwards');
  for (const [name, { isCheap }] of Object.entries(kinds)) {
    const [alone, first, rest] = [idle, start, later].map(({ times }) => times.get(name) ?? []);
    const under = [...first!, ...rest!];
    const isSlow = isCheap && p99(under) > factor * Math.max(p99(alone!), minTimeMs);
    if (isSlow) faults += 1;
    const cells = [
      String(under.length).padStart(8),
      cell(p99(alone!), 11),
      cell(p99(under), 16),
      cell(p99(first!), 14),
      cell(p99(rest!), 12),
    ];
    console.log(`${name.padEnd(10)} ${cells.join(' ')}${isSlow ? `  FAULT more than ${factor} times` : ''}`);
  }
  for (const { errors, phase } of [
    { errors: idle.errors, phase: 'alone' },
    { errors: start.errors, phase: 'at the start of the load' },
    { errors: later.errors, phase: 'under load' },
  ])
    for (const [text, count] of errors) {
      faults += count;
      console.log(`FAULT ${count} times ${phase}: ${text}`);
    }
  return faults;
}

import { readdir, readFile } from 'node:fs/promises';
import type { Service } from './service.js';
import { run } from './stage.js';

/** Clock ticks per second in /proc on every architecture of Linux. */
const ticksPerSecond = 100;

/** Processor time of a process and its descendants so far, seconds (proc(5), stat); 0 for one that has ended. */
async function timeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before these fields may contain blanks: utime, stime, cutime and cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  let total = ticks / ticksPerSecond;
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  for (const task of tasks) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.trim().split(' ').filter(Boolean)) total += await timeOf(Number(child));
  }
  return total;
}

/** Processor time of a service and of the database server, with the connections that have ended, so far, seconds. */
async function processorTime({ pid, database }: Service): Promise<number> {
  const { stdout } = await run('psql', [
    database,
    '-Atc',
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  ]);
  return (await timeOf(pid)) + (await timeOf(await parentOf(Number(stdout))));
}

/** The process that started another: that of the whole database server, for one of its processes. */
async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\s*(\d+)/m.exec(status)![1]);
}

/**
 * Runs work that returns its number of units, and returns the units per second of processor time. Unlike the elapsed time it
 * does not depend on other programs of a busy machine. No other service may use the database server meanwhile.
 */
export async function perProcessorSecond(service: Service, work: () => Promise<number>): Promise<number> {
  const before = await processorTime(service);
  const units = await work();
  return units / ((await processorTime(service)) - before);
}

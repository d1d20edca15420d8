import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from './stage.js';

/** Proportional set size of a process and its descendants, MiB (proc(5), smaps_rollup). */
export async function memoryOf(pid: number): Promise<number> {
  const own = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  let total = Number(/^Pss:\s+(\d+)/m.exec(own)?.[1] ?? 0) / 1024;
  for (const task of tasks) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.trim().split(' ').filter(Boolean)) total += await memoryOf(Number(child));
  }
  return total;
}

/** Peak memory of the service by row. */
const peaks = new WeakMap<Stage, Map<string, number>>();
const current = new WeakMap<Stage, string>();

/** Sets the row to which memory samples count. */
export const countFor = (stage: Stage, row: string): unknown => current.set(stage, row);

/** Peak memory of the service by row, MiB. */
export const peaksOf = (stage: Stage): ReadonlyMap<string, number> => peaks.get(stage) ?? new Map();

/** Samples the memory of a process and its descendants twice a second. */
export function watchMemory(stage: Stage, pid: number): { stop(): void } {
  const of = peaks.get(stage) ?? new Map<string, number>();
  peaks.set(stage, of);
  let isOver = false;
  void (async () => {
    while (!isOver) {
      const row = current.get(stage) ?? 'start';
      of.set(row, Math.max(of.get(row) ?? 0, await memoryOf(pid)));
      await sleep(500, undefined, { ref: false });
    }
  })();
  const stop = (): void => {
    isOver = true;
  };
  return { stop };
}

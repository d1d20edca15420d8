/** Background processes have lower priority than those that answer requests, if processors are scarce. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../support/server.js';

const tasks = `/proc/${process.pid}/task`;
const isLinux = process.platform === 'linux';

/** Priorities of the threads of this process. */
const ofThreads = async (): Promise<number[]> =>
  (await readdir(tasks)).map((thread) => getPriority(Number(thread)));

/** Priorities of the processes that this one has started, by the names of their programs. */
async function ofChildren(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const thread of await readdir(tasks)) {
    const children = await readFile(join(tasks, thread, 'children'), 'utf8').catch(() => '');
    for (const pid of children.trim().split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const [, program] = /([\w-]+)\.js/.exec(command) ?? [];
      if (program) found.set(program, getPriority(Number(pid)));
    }
  }
  return found;
}

/** The same once these programs run: a new process has the command of its parent for a moment. */
async function ofPrograms(...programs: string[]): Promise<Map<string, number>> {
  for (let tries = 0; ; tries++) {
    const found = await ofChildren();
    if (tries === 500 || programs.every((program) => found.has(program))) return found;
    await sleep(20);
  }
}

test('converters, renderers, and threads that read files have a lower priority than the process that answers, and renderers the higher of them', {
  skip: !isLinux && 'only Linux has priorities of threads',
}, async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const own = getPriority();
  const lowered = (by: number): number => Math.min(19, own + by);

  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'a' });
  const form = new FormData();
  const feature = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [1, 2] } };
  form.append('file', new Blob([JSON.stringify(feature)]), 'a.geojson');
  await server.request('POST', '/m/layers/a/import/', { body: form, token: server.adminToken });
  assert.ok((await ofThreads()).includes(lowered(10)), 'a thread reads the file');
  assert.equal(getPriority(), own);

  const folder = await mkdtemp(join(tmpdir(), 'cartulary-priorities-'));
  t.after(() => rm(folder, { recursive: true }));
  const job = await server.server.services.engine.start(folder, new AbortController().signal);
  t.after(() => job.end());
  const children = await ofPrograms('engine-process', 'worker');
  assert.equal(children.get('engine-process'), lowered(10));
  assert.equal(children.get('worker'), lowered(5));
});

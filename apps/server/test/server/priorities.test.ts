/** If processors are scarce, the thread that answers requests goes before all else, and conversions come last. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchServer, printed } from '../support/process.js';
import { startServer } from '../support/server.js';

const tasks = `/proc/${process.pid}/task`;
const isLinux = process.platform === 'linux';

/** Priorities of the threads of this process. */
const ofThreads = async (): Promise<number[]> =>
  (await readdir(tasks)).map((thread) => getPriority(Number(thread)));

interface Child {
  pid: number;
  /** The name of its program. */
  program: string;
  priority: number;
}

/** The processes that one has started. */
async function childrenOf(parent: number): Promise<Child[]> {
  const found: Child[] = [];
  for (const thread of await readdir(`/proc/${parent}/task`)) {
    const path = `/proc/${parent}/task/${thread}/children`;
    const pids = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ').filter(Boolean).map(Number);
    for (const pid of pids) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const [, program] = /([\w-]+)\.js/.exec(command) ?? [];
      if (program) found.push({ pid, program, priority: getPriority(pid) });
    }
  }
  return found;
}

/** Waits for a process of a program with this priority: a new process has the command and the priority of its parent for a moment. */
async function demandChild(parent: number, program: string, priority: number, not?: Child): Promise<Child> {
  let seen: Child[] = [];
  for (let tries = 0; tries < 500; tries++) {
    seen = (await childrenOf(parent)).filter((one) => one.program === program && one.pid !== not?.pid);
    const found = seen.find((one) => one.priority === priority);
    if (found) return found;
    await sleep(20);
  }
  return assert.fail(`no ${program} at ${priority}: ${JSON.stringify(seen)}`);
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
  await demandChild(process.pid, 'engine-process', lowered(10));
  await demandChild(process.pid, 'worker', lowered(5));
});

/** Whether a process may raise its priority here: root may. */
const mayRaise = process.getuid?.() === 0;

test('the thread that serves has a higher priority than it was started with; what it starts has its own', {
  skip: !isLinux && 'only Linux has priorities of threads',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-priorities-'));
  const started = launchServer(folder, { CARTULARY_RENDERERS: '1', CARTULARY_ADMIN_PASSWORD: 'a-password' });
  t.after(async () => {
    started.child.kill('SIGTERM');
    await once(started.child, 'exit');
    await rm(folder, { recursive: true });
  });
  await printed(started, /is ready/);
  const { pid } = started.child;
  const own = getPriority();
  assert.equal(getPriority(pid!), mayRaise ? own - 5 : own);
  await demandChild(pid!, 'embedded-process', own);
  const renderer = await demandChild(pid!, 'worker', own + 5);
  process.kill(renderer.pid, 'SIGKILL');
  // The next one is started by the thread with the higher priority.
  await demandChild(pid!, 'worker', own + 5, renderer);
});

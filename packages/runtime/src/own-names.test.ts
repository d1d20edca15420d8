import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbandoned, isRunning, ownName } from './own-names.js';

/** A name such as the process has. */
const nameOf = (pid: number): string =>
  ownName().replace(/(_[0-9a-f]{8})[0-9a-f]{8}/, `$1${pid.toString(16).padStart(8, '0')}`);

test('a process that has ended, and that its parent does not collect, has abandoned its names', async (t) => {
  // The shell becomes `sleep`, which collects no children.
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60']);
  t.after(() => parent.kill());
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  const name = nameOf(pid);
  assert.equal(isAbandoned(name), false);
  for (let look = 0; look < 100 && !isAbandoned(name); look++) await sleep(50);
  assert.equal(isAbandoned(name), true);
  assert.equal(isRunning(pid), true, 'the system still has its number');
});

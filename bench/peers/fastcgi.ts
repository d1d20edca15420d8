import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atOnce } from '../service.js';
import { folderOf, run, type Stage } from '../stage.js';
import { startNginx } from './nginx.js';

/** A FastCGI program in some processes behind nginx: the address of that. */
export async function startFastCgi(
  stage: Stage,
  name: string,
  { program, env }: { program: string; env: Record<string, string> },
): Promise<string> {
  const folder = await folderOf(stage, name);
  const [socket, pids] = [join(folder, 'fcgi.sock'), join(folder, 'pids')];
  stage.defer(async () => {
    for (const [pid] of (await readFile(pids, 'utf8').catch(() => '')).matchAll(/\d+/g))
      endProcess(Number(pid));
  });
  const spawning = run('spawn-fcgi', ['-s', socket, '-F', String(atOnce), '-P', pids, '--', program], {
    // What they would leave behind goes with the folder.
    env: { ...process.env, TMPDIR: folder, ...env },
  });
  await spawning;
  return startNginx(stage, name, {
    workers: 1,
    outside: `upstream ${name} { server unix:${socket}; }`,
    locations: `location / { include /etc/nginx/fastcgi_params; fastcgi_pass ${name}; fastcgi_read_timeout 120s; }`,
  });
}

/** They hold nothing, and on SIGTERM would wait for another request. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

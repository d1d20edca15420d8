import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atOnce } from '../service.js';
import { folderOf, run, type Stage } from '../stage.js';
import { startNginx } from './nginx.js';

/** A FastCGI program behind nginx. */
export interface FastCgi {
  /** Address of nginx. */
  base: string;
  /** Ends the processes and starts new ones. */
  restart(): Promise<void>;
}

/** Starts processes of a FastCGI program behind nginx. */
export async function startFastCgi(
  stage: Stage,
  name: string,
  { program, env }: { program: string; env: Record<string, string> },
): Promise<FastCgi> {
  const folder = await folderOf(stage, name);
  const [socket, pids] = [join(folder, 'fcgi.sock'), join(folder, 'pids')];
  const end = async (): Promise<void> => {
    for (const [pid] of (await readFile(pids, 'utf8').catch(() => '')).matchAll(/\d+/g))
      endProcess(Number(pid));
    await Promise.all([socket, pids].map((file) => rm(file, { force: true })));
  };
  const start = async (): Promise<void> => {
    await run('spawn-fcgi', ['-s', socket, '-F', String(atOnce), '-P', pids, '--', program], {
      // Their temporary files are removed with the folder.
      env: { ...process.env, TMPDIR: folder, ...env },
    });
  };
  stage.defer(end);
  await start();
  const base = await startNginx(stage, name, {
    workers: 1,
    outside: `upstream ${name} { server unix:${socket}; }`,
    locations: `location / { include /etc/nginx/fastcgi_params; fastcgi_pass ${name}; fastcgi_read_timeout 120s; }`,
  });
  const restart = async (): Promise<void> => {
    await end();
    await start();
  };
  return { base, restart };
}

/** Kills the processes: they have no state, and after SIGTERM they would wait for another request. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

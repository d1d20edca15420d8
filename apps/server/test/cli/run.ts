import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshPostgres } from '../support/database.js';

export interface Ended {
  status: number;
  out: string;
  err: string;
}

export const tool = 'apps/server/dist/src/cli/cli.js';

/** Starts the command line tool. `ended` resolves with its end, and fails if it ever printed a stack or SQL. */
export function begin(
  env: Record<string, string>,
  args: string[],
): { child: ChildProcess; ended: Promise<Ended>; said: (what: RegExp) => Promise<void> } {
  const child = spawn(process.execPath, [tool, ...args], { env: { PATH: process.env.PATH, ...env } });
  return { child, ...watch(child) };
}

function watch(child: ChildProcess): { ended: Promise<Ended>; said: (what: RegExp) => Promise<void> } {
  const so: Ended = { status: -1, out: '', err: '' };
  child.stdout!.on('data', (chunk) => (so.out += chunk));
  child.stderr!.on('data', (chunk) => (so.err += chunk));
  const ended = once(child, 'close').then(([status]) => {
    const shown = so.out + so.err;
    assert.doesNotMatch(shown, /\n\s+at |node_modules|select |insert /, 'neither stack nor SQL');
    return { ...so, status: status as number };
  });
  const said = async (what: RegExp): Promise<void> => {
    let isOver = false;
    void ended.finally(() => (isOver = true)).catch(() => {});
    while (!what.test(so.err)) {
      if (isOver) throw new Error(`it ended and did not say ${what}: ${so.out}${so.err}`);
      await Promise.race([once(child.stderr!, 'data'), ended]);
    }
  };
  return { ended, said };
}

/** Runs the tool to its end with `input` on its standard input. */
export async function cartulary(
  env: Record<string, string>,
  args: string[],
  input: string | Buffer = '',
): Promise<Ended> {
  const { child, ended } = begin(env, args);
  child.stdin!.on('error', () => {}).end(input);
  return ended;
}

/** Runs a line of bash in which `cartulary` is the tool. */
export async function shell(env: Record<string, string>, line: string): Promise<Ended> {
  const script = `cartulary() { "${process.execPath}" "${process.cwd()}/${tool}" "$@"; }\n${line}`;
  const child = spawn('bash', ['-c', script], { env: { PATH: process.env.PATH, ...env } });
  return watch(child).ended;
}

/** A place for a database that no server has used. */
export async function newPlace(): Promise<{ env: Record<string, string>; remove: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-cli-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  const env = { CARTULARY_DATA: folder, ...(postgres ? { DATABASE_URL: postgres.url } : {}) };
  const remove = async (): Promise<void> => {
    await postgres?.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { env, remove };
}

/**
 * Runs the test files that are its arguments, three at a time, with servers that are lent to one after the other. Prints
 * the files that took longest, and all that failed at the end again.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { openKeepers } from './support/keepers.js';

/** Bytes that all tests at a time take at most, by far. */
const room = 8 * 1024 ** 3;

/** Longest a file of tests runs, ms: the longest takes five minutes beside two others. One that hangs fails. */
const maxFileMs = 900_000;

/** Folder for the data of tests: in memory if there is enough, since the data is removed soon. */
function temporaryFolder(): string {
  const memory = '/dev/shm';
  const isWanted = !process.env.TMPDIR && existsSync(memory);
  const { bavail, bsize } = statfsSync(isWanted ? memory : tmpdir());
  const folder = mkdtempSync(join(isWanted && bavail * bsize > room ? memory : tmpdir(), 'cartulary-'));
  // A PostgreSQL that a test starts runs as another user.
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Flags of all Node.js processes of the tests. Most end soon: without the flags V8's optimizing compilers take a sixth of all
 * processor time, more than their code saves. Only code that runs for long is worth compiling.
 */
const flags = '--interrupt-budget=1000000 --wasm-tiering-budget=20000000';

/** Writes a program that runs Node.js with `flags`, and starts all further processes by it. Their children do the same, whatever their environment. */
function useFlags(programFolder: string): void {
  const program = join(programFolder, 'node');
  const preload = join(programFolder, 'exec-path.cjs');
  writeFileSync(preload, `process.execPath = ${JSON.stringify(program)};\n`);
  const script = `#!/bin/sh\nexec "${process.execPath}" ${flags} --require "${preload}" "$@"\n`;
  writeFileSync(program, script, { mode: 0o755 });
  process.execPath = program;
}

// Not in memory: /dev/shm may forbid programs.
const programFolder = mkdtempSync(fileURLToPath(new URL('./node-', import.meta.url)));
useFlags(programFolder);
const folder = temporaryFolder();
process.env.TMPDIR = folder;
const keepers = await openKeepers();
process.env.TEST_KEEPERS = keepers.path;
// Backwards: the shortest, those of src, come last, so that no long one ends alone.
const files = process.argv.slice(2).map((file) => resolve(file));
const stopping = new AbortController();
// Ctrl-C reaches the tests too. The processes started here end after them.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stopping.abort());
const tests = run({
  files: files.sort().reverse(),
  concurrency: 3,
  signal: stopping.signal,
  timeout: maxFileMs,
});
const failed: string[] = [];
tests.on('test:fail', ({ name, file, details }) => {
  process.exitCode = 1;
  // A file fails with each of its tests: told once, by the test.
  const { failureType, cause } = details.error as Error & { failureType?: string };
  if (failureType === 'subtestsFailed') return;
  const message = String(cause instanceof Error ? cause.message : details.error.message);
  failed.push(`${relative(process.cwd(), file ?? name)}: ${name}: ${message.slice(0, 600)}`);
});
const spent = new Map<string, number>();
// A file is a test of its own, with the path as its name.
tests.on('test:complete', ({ name, details }) => {
  if (files.includes(name)) spent.set(name, details.duration_ms);
});
for await (const text of tests.compose(process.stdout.isTTY ? new spec() : tap)) process.stdout.write(text);
const slowest = [...spent].sort(([, a], [, b]) => b - a).slice(0, 40);
for (const [file, ms] of slowest)
  console.log(`# ${Math.round(ms / 1000)} s ${relative(process.cwd(), file)}`);
for (const test of failed) console.log(`# failed: ${test.replaceAll('\n', '\n#   ')}`);
await keepers.close();
for (const one of [folder, programFolder]) rmSync(one, { recursive: true, force: true, maxRetries: 5 });

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root.js';
import { checkStructure } from './check.js';
import { roomOf } from './workspace.js';

/** Prints violations of the rules in `rooms.ts`. The exit code is 1 if there are any. */
const workspace = new Map<string, string>();
for (const entry of await readdir(rootFolder, { recursive: true })) {
  const file = entry.replaceAll('\\', '/');
  if (/(^|\/)(node_modules|dist|fixtures)\//.test(file) || !roomOf(file)) continue;
  if (/\.tsx?$|(^|\/)package\.json$/.test(file))
    workspace.set(file, await readFile(join(rootFolder, file), 'utf8'));
}
const problems = checkStructure(workspace);
for (const { rule, file, message } of problems) process.stdout.write(`${file}: ${message} (${rule})\n`);
if (problems.length) process.exitCode = 1;

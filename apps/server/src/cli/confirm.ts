import { createInterface } from 'node:readline/promises';
import { usage } from './command-line.js';
import { CommandFailure } from './failure.js';

/** Asks for confirmation before an irreversible step. Without a terminal `--yes` is required. */
export async function confirm(what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CommandFailure(`${what}: this cannot be undone`, 'Confirm it with --yes.', usage);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question(`${what}? This cannot be undone. Type yes to go on: `);
  asking.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('Nothing was changed');
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { adminPassword, type TestServer } from './server.js';

/**
 * Runs the commands of a documentation page: every sh block, in order, in one bash. A json block directly after it is the
 * expected output: the text "…" matches any value, a key "…" further keys, an element "…" at the end of an array further
 * elements.
 */

interface Block {
  commands: string;
  /** The JSON that is shown after it. */
  shown: string | undefined;
}

/** The sh blocks of a page. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n?```json\n([\s\S]*?)^```)?/gm)].map(
    ([, commands, shown]) => ({ commands: commands!, shown }),
  );
}

const mark = '\u001e';

/** Runs the blocks of a page against a server; throws where a command fails or prints another thing than is shown. Gives all that was printed. */
export async function runPage(markdown: string, server: TestServer): Promise<string> {
  const blocks = blocksOf(markdown);
  assert.ok(blocks.length, 'the page has commands');
  const script = blocks.map(({ commands }) => `${commands}\nprintf '${mark}'\n`).join('');
  const { dataFolder, databaseUrl } = server.server.services.config;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: {
      ...process.env,
      BASE: server.url,
      CARTULARY_ADMIN_PASSWORD: adminPassword,
      CARTULARY_DATA: dataFolder,
      DATABASE_URL: databaseUrl,
    },
  });
  let output = '';
  let problems = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  shell.stderr.on('data', (chunk) => (problems += chunk));
  const [code] = await once(shell, 'close');
  const printed = output.split(mark);
  const at = blocks[printed.length - 1]?.commands;
  assert.equal(code, 0, `${problems}\n${printed.at(-1)}\nin:\n${at}`);
  for (const [i, { commands, shown }] of blocks.entries()) {
    if (shown === undefined) continue;
    const actual = JSON.parse(printed[i]!);
    const difference = differenceOf(JSON.parse(shown), actual, '');
    assert.equal(difference, undefined, `${difference}\n${commands}\nprints ${printed[i]!.slice(0, 2000)}`);
  }
  return output;
}

/** Describes where the printed and the real output differ; undefined if they are equal. */
export function differenceOf(shown: unknown, actual: unknown, place: string): string | undefined {
  if (shown === '…') return undefined;
  if (typeof shown !== 'object' || shown === null || typeof actual !== 'object' || actual === null)
    return Object.is(shown, actual)
      ? undefined
      : `${place || 'the answer'}: ${JSON.stringify(shown)} is shown`;
  const isOpen = Array.isArray(shown) ? shown.at(-1) === '…' : '…' in shown;
  const expected = Object.entries(shown).filter(([key], i) =>
    Array.isArray(shown) ? !(isOpen && i === shown.length - 1) : key !== '…',
  );
  const known = new Set(expected.map(([key]) => key));
  const further = Object.keys(actual).filter((key) => !known.has(key));
  if (!isOpen && further.length) return `${place || 'the answer'} has also ${further.join(', ')}`;
  for (const [key, value] of expected) {
    if (!(key in actual)) return `${place}.${key} is not there`;
    const found = differenceOf(value, (actual as Record<string, unknown>)[key], `${place}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/**
 * `npm run bench`: measures Cartulary and its peers on this machine. `--help` lists the options, docs/benchmarks.md
 * explains the rows.
 */
import { install } from './install.js';
import { machine, versions } from './machine.js';
import { countFor } from './memory.js';
import { help, type Options, readOptions } from './options.js';
import { linesOf, markdown, writeInto } from './report.js';
import type { Measured, Row } from './rows/row.js';
import { rows } from './rows/rows.js';
import { openStage, type Stage, say } from './stage.js';

const given = process.argv.slice(2);

async function measureAll(stage: Stage, chosen: readonly Row[]): Promise<Map<string, Measured>> {
  const measured = new Map<string, Measured>();
  for (const row of chosen) {
    say(`${row.code}: ${row.what}`);
    countFor(stage, row.code);
    const found = await row.measure(stage);
    for (const line of linesOf(found)) say(`  ${line}`);
    measured.set(row.code, found);
  }
  return measured;
}

function chosenRows({ only, isQuick }: Options): readonly Row[] {
  if (!only) return rows.filter(({ isLong, isExtra }) => !isExtra && !(isLong && isQuick));
  const unknown = [...only].find((code) => !rows.some((row) => row.code === code));
  if (unknown !== undefined) throw new Error(`There is no row '${unknown}'; --rows lists them`);
  return rows.filter(({ code }) => only.has(code));
}

async function measure(options: Options): Promise<void> {
  const chosen = chosenRows(options);
  await install(chosen.every(({ isWithoutPeers }) => isWithoutPeers) ? 'tools' : 'peers');
  const stage = await openStage(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().finally(() => process.exit(130)));
  const start = Date.now();
  try {
    const about = { machine: await machine(), versions: await versions(stage) };
    const measured = await measureAll(stage, chosen);
    const command = ['npm run bench', ...(given.length ? ['--', ...given] : [])].join(' ');
    const seconds = (Date.now() - start) / 1000;
    const figures = markdown({ ...about, measured, command, seconds, options }, new Date());
    process.stdout.write(`${figures}\n`);
    if (options.page) await writeInto(options.page, figures);
  } finally {
    await stage.close();
  }
}

try {
  const options = readOptions(given);
  if (options === 'help') process.stdout.write(help);
  else if (options === 'rows')
    for (const { code, what } of rows) process.stdout.write(`${code.padEnd(10)} ${what}\n`);
  else await measure(options);
} catch (error) {
  say(`The bench failed: ${(error as Error).stack ?? error}`);
  process.exitCode = 1;
}

/**
 * `npm run bench`: measures Cartulary and its peers on this machine. `--help` lists the options, docs/benchmarks.md
 * explains the rows.
 */
import { install } from './install.js';
import type { Look } from './looks/look.js';
import { looks } from './looks/looks.js';
import { chosenLooks, measureLooks } from './looks/measure-looks.js';
import { looksMarkdown } from './looks/table.js';
import { machine, versions } from './machine.js';
import { countFor } from './memory.js';
import { help, type Options, readOptions } from './options.js';
import { figureMarks, linesOf, lookMarks, markdown, writeInto } from './report.js';
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

/** The figures that were asked for, as Markdown. */
type Work = (stage: Stage, about: { machine: string; versions: string }) => Promise<string>;

const started = Date.now();
const secondsSoFar = (): number => (Date.now() - started) / 1000;
const command = ['npm run bench', ...(given.length ? ['--', ...given] : [])].join(' ');

const measureRows =
  (options: Options, chosen: readonly Row[]): Work =>
  async (stage, about) => {
    const measured = await measureAll(stage, chosen);
    return markdown({ ...about, measured, command, seconds: secondsSoFar(), options }, new Date());
  };

const measureMaps =
  (options: Options, chosen: readonly Look[]): Work =>
  async (stage, about) => {
    const measured = await measureLooks(stage, chosen);
    return looksMarkdown({ ...about, measured, command, seconds: secondsSoFar(), options }, new Date());
  };

async function measure(options: Options): Promise<void> {
  const chosen = options.looks ? [] : chosenRows(options);
  const work = options.looks ? measureMaps(options, chosenLooks(options)) : measureRows(options, chosen);
  const isAlone = !options.looks && chosen.every(({ isWithoutPeers }) => isWithoutPeers);
  await install(isAlone ? 'tools' : 'peers');
  const stage = await openStage(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().finally(() => process.exit(130)));
  try {
    const about = { machine: await machine(), versions: await versions(stage) };
    const figures = await work(stage, about);
    process.stdout.write(`${figures}\n`);
    if (options.page) await writeInto(options.page, figures, options.looks ? lookMarks : figureMarks);
  } finally {
    await stage.close();
  }
}

try {
  const options = readOptions(given);
  if (options === 'help') process.stdout.write(help);
  else if (options === 'rows')
    for (const { code, what } of [...rows, ...looks]) process.stdout.write(`${code.padEnd(16)} ${what}\n`);
  else await measure(options);
} catch (error) {
  const { code = '', message, stack } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof RangeError || code.startsWith('ERR_PARSE_ARGS');
  say(isUsage ? `${message} (--help tells more)` : `The bench failed: ${stack ?? error}`);
  process.exitCode = 1;
}

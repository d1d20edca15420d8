import { readFile, writeFile } from 'node:fs/promises';
import { type Figure, type Finding, median, verdict } from './measure.js';
import type { Options } from './options.js';
import type { Measured } from './rows/row.js';

/** Formats a number with three significant digits, at least all digits of the integer part. */
export const shown = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value.toPrecision(3);

const withUnit = (value: number, unit: string): string => (unit ? `${shown(value)} ${unit}` : shown(value));

function cellsOf(finding: Finding): string[] {
  const { work, peer, ours, theirs, unit, values, valueUnit = '', target } = finding;
  const met = verdict(finding);
  return [
    work,
    peer ?? '',
    ours === undefined ? '' : withUnit(ours, unit),
    theirs === undefined ? '' : withUnit(theirs, unit),
    withUnit(median(values), valueUnit),
    values.length > 1 ? `${shown(Math.min(...values))} to ${shown(Math.max(...values))}` : '',
    !target ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `< ${withUnit(target.below, valueUnit)}`,
    met === undefined ? '' : met ? 'met' : '**missed**',
  ];
}

/** Results as lines of text for the terminal. */
export const linesOf = ({ findings = [], figures = [] }: Measured): string[] => [
  ...findings.map((finding) => cellsOf(finding).filter(Boolean).join(' | ')),
  ...figures.map(({ work, unit, column, value }) => `${work} | ${column} | ${withUnit(value, unit)}`),
];

/** A table of Markdown; columns from `numbersFrom` on are aligned to the right. */
export const table = (
  head: readonly string[],
  lines: readonly (readonly string[])[],
  numbersFrom: number,
): string =>
  [head, head.map((_, i) => (i < numbersFrom ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const ratioTable = (findings: readonly Finding[]): string =>
  table(
    ['Work', 'Compared with', 'Cartulary', 'Other', 'Median', 'Range', 'Target', ''],
    findings.map(cellsOf),
    2,
  );

/** A table with a line for each kind of work and a column for each size or database. */
function figureTable(figures: readonly Figure[]): string {
  const columns = [...new Set(figures.map(({ column }) => column))];
  const works = [...new Map(figures.map(({ work, unit }) => [work, unit]))];
  const cell = (work: string, column: string): string => {
    const found = figures.find((figure) => figure.work === work && figure.column === column);
    return found ? shown(found.value) : '';
  };
  return table(
    ['Work', 'Unit', ...columns],
    works.map(([work, unit]) => [work, unit, ...columns.map((column) => cell(work, column))]),
    2,
  );
}

export interface Report {
  /** By code of the row. */
  measured: ReadonlyMap<string, Measured>;
  machine: string;
  versions: string;
  command: string;
  seconds: number;
  options: Options;
}

/** The figures as Markdown. Pure. */
export function markdown(
  { measured, machine, versions, command, seconds, options }: Report,
  date: Date,
): string {
  const findings = [...measured.values()].flatMap((row) => row.findings ?? []);
  const grown = measured.get('growth')?.figures ?? [];
  const alone = [...measured].flatMap(([code, row]) => (code === 'growth' ? [] : (row.figures ?? [])));
  const parts = [
    `Measured on ${date.toISOString().slice(0, 10)} in ${Math.round(seconds / 60)} minutes by \`${command}\`: ${options.features.toLocaleString('en')} polygons, ${options.rounds} rounds of about ${options.seconds} s per side.`,
    `Machine: ${machine}. Versions: ${versions}.`,
  ];
  if (findings.length) parts.push('### Compared with other programs', ratioTable(findings));
  if (grown.length) parts.push('### Growth', figureTable(grown));
  if (alone.length) parts.push('### Cartulary alone', figureTable(alone));
  return parts.join('\n\n');
}

/** Comments around figures in a page. */
type Marks = readonly [begin: string, end: string];

export const figureMarks: Marks = ['<!-- figures -->', '<!-- end of the figures -->'];
export const lookMarks: Marks = ['<!-- looks -->', '<!-- end of the looks -->'];

/** Replaces the figures between the marks of a page. Throws if the page has no marks. */
export async function writeInto(page: string, figures: string, marks: Marks): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [from, to] = marks.map((mark) => text.indexOf(mark)) as [number, number];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the figures: ${marks.join(' … ')}`);
  await writeFile(page, `${text.slice(0, from + marks[0].length)}\n${figures}\n${text.slice(to)}`);
}

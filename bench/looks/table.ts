import { geometricMean, median } from '../measure.js';
import type { Options } from '../options.js';
import { shown, table } from '../report.js';
import { type PeerName, peerNames } from './look.js';
import { bands, type Cell, type MeasuredLook } from './measure-looks.js';
import type { Asking } from './passes.js';
import { ratioOf } from './race.js';
import { likenessText } from './similarity.js';

export interface LooksReport {
  measured: readonly MeasuredLook[];
  machine: string;
  versions: string;
  command: string;
  seconds: number;
  options: Options;
}

const ours = 'Cartulary';
const askings = ['views', 'singles'] as const;
const columns = bands.flatMap((zooms) => askings.map((asking) => ({ zooms, asking })));
const title = ({ zooms, asking }: (typeof columns)[number]): string =>
  `zoom ${zooms.join('–')}, ${asking === 'views' ? 'views' : 'single tiles'}`;

const ratio = ({ rates }: Cell, peer: PeerName): number | undefined =>
  rates.has(peer) ? ratioOf(rates, ours, peer) : undefined;

/** The figures as Markdown. Pure. */
export function looksMarkdown(
  { measured, machine, versions, command, seconds, options }: LooksReport,
  date: Date,
): string {
  const lines = (of: (cell: Cell) => string): string[][] =>
    measured.map(({ look, cells }) => [look.what, ...cells.map(of)]);
  const names = peerNames.filter((peer) =>
    measured.some(({ cells }) => cells.some(({ rates }) => rates.has(peer))),
  );
  const head = ['Look', ...columns.map(title)];
  const differing = measured.flatMap(({ look, differences }) =>
    differences.map(
      ({ peer, zoom, likeness }) => `- ${look.what}, zoom ${zoom}, ${peer}: ${likenessText(likeness)}`,
    ),
  );
  const missing = measured.flatMap(({ look, cells }) => [
    ...Object.entries(look.impossible ?? {}).map(([peer, reason]) => `- ${look.what}: ${peer} ${reason}`),
    ...cells.flatMap((cell) =>
      [...cell.failures.keys()].map(
        (peer) => `- ${look.what}, ${title(cell)}: ${peer} does not answer in time`,
      ),
    ),
  ]);
  const parts = [
    `Measured on ${date.toISOString().slice(0, 10)} in ${Math.round(seconds / 60)} minutes by \`${command}\`: up to ${options.features.toLocaleString('en')} objects per layer, ${options.rounds} rounds of about ${options.seconds} s per side.`,
    `Machine: ${machine}. Versions: ${versions}.`,
    ...names.map((peer) => summary(measured, peer)),
    `Speed of Cartulary relative to ${names.join(' / ')}:`,
    table(
      head,
      lines((cell) => names.map((peer) => shownRatio(ratio(cell, peer))).join(' / ')),
      1,
    ),
    `Tiles per second of ${[ours, ...names].join(' / ')}:`,
    table(
      head,
      lines(({ rates }) =>
        [ours, ...names].map((name) => (rates.has(name) ? shown(median(rates.get(name)!)) : '–')).join(' / '),
      ),
      1,
    ),
    ...(missing.length ? [`Not measured:\n\n${missing.join('\n')}`] : []),
    ...(differing.length
      ? [`Pictures that differ clearly (shares of Cartulary and the other):\n\n${differing.join('\n')}`]
      : []),
  ];
  return parts.join('\n\n');
}

const shownRatio = (value: number | undefined): string => (value === undefined ? '–' : shown(value));

/** Geometric mean and least ratio over all looks and zoom levels, in a sentence. */
function summary(measured: readonly MeasuredLook[], peer: PeerName): string {
  const of = (asking: Asking): string => {
    const found = measured.flatMap(({ look, cells }) =>
      cells.flatMap((cell) => {
        const value = cell.asking === asking ? ratio(cell, peer) : undefined;
        return value === undefined ? [] : [{ value, where: `${look.what}, zoom ${cell.zooms.join('–')}` }];
      }),
    );
    if (!found.length) return '';
    const mean = geometricMean(found.map(({ value }) => value));
    const least = found.reduce((a, b) => (b.value < a.value ? b : a));
    return `${asking === 'views' ? 'views' : 'single tiles'} ${shown(mean)} (least ${shown(least.value)}: ${least.where})`;
  };
  return `**Beside ${peer}, geometric means of the ratios:** ${askings.map(of).filter(Boolean).join('; ')}.`;
}

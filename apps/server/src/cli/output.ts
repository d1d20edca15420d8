import { print } from './command-line.js';

/** Prints a line on standard error, without control characters of terminals. */
export const tell = (text: string): void =>
  void process.stderr.write(`${text.replace(/[^\P{Cc}\n]|\p{Cf}/gu, ' ')}\n`);

/** Prints a value as JSON. */
export const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);

/**
 * Prints rows: on a terminal in columns with headings, elsewhere separated by tabs without headings, for
 * scripts.
 */
export function printRows(heads: string[], rows: string[][]): void {
  if (!process.stdout.isTTY) {
    for (const row of rows) print(...row);
    return;
  }
  if (!rows.length) {
    print('(none)');
    return;
  }
  const all = [heads.map((head) => head.toUpperCase()), ...rows];
  const widths = heads.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  for (const row of all)
    print(
      row
        .map((field, i) => field.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    );
}

/** Prints the fields of an object, one a line. */
export const printFields = (fields: Record<string, unknown>): void => {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields))
    if (process.stdout.isTTY) print(`${name.padEnd(width)}  ${textOf(value)}`);
    else print(name, textOf(value));
};

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

/** A progress line: updated in the last line of a terminal, elsewhere a line per phase and at intervals. */
export interface ProgressLine {
  /** A new phase is reported at once. */
  say(text: string, phase: string): void;
  /** Clears the line. */
  end(): void;
}

/** Interval of lines without a terminal. */
const linePeriodMs = 5_000;

/** `wanted`: also without a terminal; false: never; undefined: only on a terminal. */
export function createProgress(wanted: boolean | undefined): ProgressLine {
  const { isTTY } = process.stderr;
  if (!(wanted ?? isTTY)) return { say() {}, end() {} };
  let told = 0;
  let last = '';
  let lastPhase = '';
  return {
    say(text, phase) {
      const now = Date.now();
      if (text === last || (!isTTY && phase === lastPhase && now - told < linePeriodMs)) return;
      told = now;
      last = text;
      lastPhase = phase;
      process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
    },
    end() {
      if (isTTY && last) process.stderr.write('\r\x1b[K');
      last = '';
    },
  };
}

/** `12.3 MB` */
export function shownSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${at ? (bytes / 1000 ** at).toFixed(1) : bytes} ${units[at]}`;
}

import { parseArgs } from 'node:util';

export const commands = {
  requests: 'generated requests, about half of them valid, the others hostile: no fault may come of any',
  kill: 'ends the service by SIGKILL at random moments while it writes: no acknowledged write may be lost',
  styles: 'maps in random styles, with and without the fast paths of drawing: they must look alike',
  load: 'ordinary users beside hostile clients and killed processes: no ordinary request may fail',
} as const;

export type Command = keyof typeof commands;

/** Numeric options: default, minimum, maximum, meaning, commands. All but `minutes` are integers. */
const numbers = {
  requests: [2_000, 1, 10_000_000, 'requests that are sent', ['requests']],
  styles: [100, 1, 1_000_000, 'styles that are compared', ['styles']],
  kills: [20, 1, 100_000, 'how often the service is ended', ['kill']],
  users: [50, 1, 1_000, 'ordinary users', ['load']],
  minutes: [
    10,
    0.1,
    1_440,
    'longest time of the run; the time under load',
    ['requests', 'styles', 'kill', 'load'],
  ],
  start: [8, 1, 600, 'half of the starts take less, s', ['kill']],
  factor: [3, 1, 1_000, 'how many times slower cheap requests may become', ['load']],
  memory: [20, 1, 10_000, 'how much more memory may be taken a minute after the load, %', ['load']],
  seed: [
    1,
    0,
    2 ** 32 - 1,
    'the same requests, styles, writes and moments again',
    ['requests', 'styles', 'kill', 'load'],
  ],
} as const;

type NumberName = keyof typeof numbers;

export interface Options extends Record<NumberName, number> {
  command: Command;
  /** URL of a PostgreSQL server on which databases may be created; absent: the embedded database. */
  databaseUrl: string | undefined;
  /** Folder for requests that reproduce faults. */
  report: string;
  /** Names of the attacks of hostile clients; absent: all. */
  attacks: string[] | undefined;
}

export const help = `npm run soak -- COMMAND [options]

Tries to make a service fail: it starts one with a new database and a folder of its own, and removes both at the end.
The exit code is 0 only without faults.

${Object.entries(commands)
  .map(([name, meaning]) => `  ${name.padEnd(9)} ${meaning}`)
  .join('\n')}

${Object.entries(numbers)
  .map(
    ([name, [initial, , , meaning, of]]) =>
      `  ${`--${name} N`.padEnd(20)} ${meaning} (${initial}; ${of.join(', ')})`,
  )
  .join('\n')}
  --database-url URL   a PostgreSQL with PostGIS where databases may be made; without it: the embedded database
  --attacks NAMES      only these hostile clients of the load run, such as 'exports,heavy lists'
  --report FOLDER      where requests that show a fault are written (soak-report)
`;

/** Parses the arguments. Returns undefined if the help is wanted. Throws an Error that names a wrong argument. */
export function readOptions(args: readonly string[]): Options | undefined {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...(Object.fromEntries(Object.keys(numbers).map((name) => [name, text])) as Record<
        NumberName,
        typeof text
      >),
      'database-url': text,
      report: text,
      attacks: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const [command] = positionals;
  if (!command || !Object.hasOwn(commands, command) || positionals.length > 1)
    throw new RangeError(`one command is needed: ${Object.keys(commands).join(', ')} (--help tells more)`);
  const read = (name: NumberName): number => number(name, values[name]);
  return {
    command: command as Command,
    requests: read('requests'),
    styles: read('styles'),
    kills: read('kills'),
    users: read('users'),
    minutes: read('minutes'),
    start: read('start'),
    factor: read('factor'),
    memory: read('memory'),
    seed: read('seed'),
    databaseUrl: values['database-url'],
    report: values.report ?? 'soak-report',
    attacks: values.attacks?.split(',').map((name) => name.trim()),
  };
}

function number(name: NumberName, given: string | undefined): number {
  const [initial, least, most] = numbers[name];
  const value = given === undefined ? initial : Number(given);
  const isRight = name === 'minutes' ? Number.isFinite(value) : Number.isInteger(value);
  if (!isRight || value < least || value > most)
    throw new RangeError(
      `--${name} must be a ${name === 'minutes' ? '' : 'whole '}number from ${least} to ${most}`,
    );
  return value;
}

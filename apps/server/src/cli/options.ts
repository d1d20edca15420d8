import { type Command, InvalidArgumentError, Option } from 'commander';
import { readAddress } from './client/address.js';

// An empty variable counts as unset, as for the server.
for (const name of ['URL', 'TOKEN', 'PROJECT', 'TIMEOUT'].map((word) => `CARTULARY_${word}`))
  if (process.env[name] === '') delete process.env[name];

/** The options that every command accepts, before or after its own. */
export const withGlobals = (program: Command): Command =>
  program
    .addOption(
      new Option('--url <address>', 'address of the service, in place of the data folder')
        .env('CARTULARY_URL')
        .argParser(readAddress),
    )
    .addOption(
      new Option(
        '--token <token>',
        'of a session at that address; others on this machine see it, unlike CARTULARY_TOKEN',
      ).env('CARTULARY_TOKEN'),
    )
    .addOption(
      new Option('--timeout <seconds>', 'longest silence of the service')
        .env('CARTULARY_TIMEOUT')
        .default(300)
        .argParser(readSeconds),
    )
    .option('--json', 'print results, and errors, as JSON')
    .option('--progress', 'tell how far it is also where standard error is no terminal')
    .option('--no-progress', 'never tell how far it is');

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 86_400)) throw new InvalidArgumentError('It must be seconds, 1 to 86400.');
  return seconds;
}

/** Appends a value of a repeated option. */
export const collect =
  <T>(read: (text: string) => T) =>
  (text: string, before: T[] | undefined): T[] => [...(before ?? []), read(text)];

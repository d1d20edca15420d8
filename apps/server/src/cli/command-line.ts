import type { Database } from '@cartulary/database';
import { type Command, Option } from 'commander';

/** Runs the work of a command on the database. */
export type CommandRun = (work: (db: Database) => Promise<void>) => Promise<void>;

/** Exit status of an invalid command line; 1 is a failed command. */
export const usage = 2;

/** Prints a line of fields, separated by tabs, without control characters of terminals. */
export const print = (...fields: string[]): void =>
  void process.stdout.write(`${fields.map((field) => field.replace(/[\p{Cc}\p{Cf}]/gu, ' ')).join('\t')}\n`);

export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** The option of the project. */
export const projectOption = (description = 'the project'): Option =>
  new Option('--project <code>', description).env('CARTULARY_PROJECT');

/** Adds examples to the help of a command. */
export const examples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  cartulary ${line}`).join('\n')}`);

/**
 * Refuses a command line unless it has exactly one of two options. An option overrides a value of the
 * environment.
 */
export const exactlyOne = (command: Command, first: string, second: string): Command =>
  command.hook('preAction', (given) => {
    const options = given.opts();
    if (options[second] !== undefined && given.getOptionValueSource(first) === 'env')
      given.setOptionValue(first, undefined);
    if ((options[first] === undefined) === (options[second] === undefined))
      given.error(`error: give either --${first} or --${second}`, { exitCode: usage });
  });

/** Prints a list: with --json unchanged, else a line of fields for each item. */
export function printList<T>(command: Command, all: T[], fields: (one: T) => string[]): void {
  if (command.optsWithGlobals<{ json?: boolean }>().json) process.stdout.write(`${JSON.stringify(all)}\n`);
  else for (const one of all) print(...fields(one));
}

import type { Command } from 'commander';
import type { Database } from '../db/pool.js';

/** Runs a command's work on the database. */
export type Run = (work: (db: Database) => Promise<void>) => Promise<void>;

/** Exit status of a command line that cannot be understood; 1 is a command that failed. */
export const usage = 2;

/** A line of fields, tabs between them. What could move a terminal's cursor is left out. */
export const print = (...fields: string[]): void =>
  void process.stdout.write(`${fields.map((field) => field.replace(/[\p{Cc}\p{Cf}]/gu, ' ')).join('\t')}\n`);

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Adds examples to the help of a command. */
export const examples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  cartulary ${line}`).join('\n')}`);

/** Refuses a command line unless it has exactly one of two options. */
export const exactlyOne = (command: Command, first: string, second: string): Command =>
  command.hook('preAction', (given) => {
    const options = given.opts();
    if ((options[first] === undefined) === (options[second] === undefined))
      given.error(`error: give either --${first} or --${second}`, { exitCode: usage });
  });

#!/usr/bin/env node
import '../node-version.js';
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { print, usage } from './command-line.js';
import { explain } from './explain.js';
import { loadCommands } from './groups.js';
import { withGlobals } from './options.js';
import { printJson } from './output.js';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

const json = (): boolean => process.argv.includes('--json');

const program = withGlobals(new Command('cartulary'))
  .exitOverride()
  .version(version)
  .description(
    'Makes, fills, styles and publishes maps, and manages projects, users, rights and tiles. By --url it works at the address of a service, with a token; else on the database of one: DATABASE_URL, or the embedded one in CARTULARY_DATA (./data), whether a server runs or not.',
  )
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(--help tells more)')
  .addHelpText(
    'after',
    `
Examples, from nothing to a published map:
  cartulary migrate
  cartulary project create city --name "The city" --languages en,fr
  export CARTULARY_PROJECT=city
  cartulary map create parks --name "Parks" --private
  cartulary import parks gardens gardens.geojson --create
  cartulary style set parks gardens.mss --layer gardens
  cartulary map publish parks

The same at an address:
  export CARTULARY_URL=https://maps.example.org CARTULARY_PROJECT=city
  export CARTULARY_TOKEN=$(cartulary login ann < secret.txt)
  cartulary map list

Exit status: 0 done, 1 failed, 2 the command line is not correct, 130 ended by Ctrl-C.`,
  );

program
  .command('migrate')
  .description(
    'bring the database to the form that this version needs; an embedded one is made when it is not there',
  )
  .action(async (_options, command: Command) => {
    const { onDatabase } = await import('./commands/on-database.js');
    await onDatabase(command)(
      async (_db, applied) => {
        if (json()) return printJson({ applied });
        for (const migration of applied) print(`Applied ${migration}`);
        print('The database is up to date');
      },
      { make: true },
    );
  });

program
  .command('settings')
  .description('print every setting with its default')
  .option('--markdown', 'as the page docs/settings.md')
  .action(async ({ markdown }: { markdown?: boolean }) => {
    const { settings } = await import('../config.js');
    const { settingsPage } = await import('./settings-page.js');
    if (markdown) return void process.stdout.write(settingsPage());
    const all = Object.values(settings).map(({ env, default: initial, unit, meaning }) => ({
      env,
      default: typeof initial === 'boolean' ? Number(initial) : initial,
      unit,
      meaning,
    }));
    if (json()) return printJson(all);
    for (const { env, default: initial, unit, meaning } of all) {
      print(`${env}=${initial}  (${unit})`);
      print(`    ${meaning}`);
    }
  });

// An uncaught error of a library is reported as a sentence, too.
process.on('uncaughtException', (error) => process.exit(explain(error, json())));
// The reader of the pipe, such as head, may end early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
});

try {
  await loadCommands(program, process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  // Commander has reported the error already.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : usage;
  else process.exitCode = explain(error as Error, json());
}

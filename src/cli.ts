#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { print, usage } from './access/command-line.js';
import { grantCommands } from './access/grant-commands.js';
import { projectCommands } from './access/project-commands.js';
import { groupCommands, userCommands } from './access/user-commands.js';
import { describeError, withDatabase } from './cli-database.js';
import { tileCommands } from './cli-tiles.js';
import { settings, settingsTable } from './config.js';

const program = new Command('cartulary')
  .exitOverride()
  .description(
    'Manages the projects, users, rights and tiles of a Cartulary service. The database is that of the server: DATABASE_URL, or the embedded one in CARTULARY_DATA (./data), whether the server runs or not.',
  )
  .showHelpAfterError('(--help tells more)')
  .addHelpText(
    'after',
    `
Examples:
  cartulary project create parks --name "Parks of Paris" --languages en,fr
  cartulary user create bob --project parks --groups staff
  cartulary grant set edit --project parks --map gardens --group staff
  cartulary grant explain bob --project parks --map gardens
  cartulary user passwd admin --admin --password - < secret.txt
  cartulary tiles fill parks gardens --zooms 0-10

Exit status: 0 done, 1 failed, 2 the command line is not correct.`,
  );

program
  .command('migrate')
  .description(
    'bring the database to the form that this version needs; an embedded one is made when it is not there',
  )
  .action(() =>
    withDatabase(
      async (_db, applied) => {
        for (const migration of applied) print(`Applied ${migration}`);
        print('The database is up to date');
      },
      { make: true },
    ),
  );

program
  .command('settings')
  .description('print every setting with its default')
  .option('--markdown', 'as the page docs/settings.md')
  .action(({ markdown }: { markdown?: boolean }) => {
    if (markdown) return void process.stdout.write(settingsTable());
    for (const { env, default: initial, unit, meaning } of Object.values(settings)) {
      print(`${env}=${typeof initial === 'boolean' ? Number(initial) : initial}  (${unit})`);
      print(`    ${meaning}`);
    }
  });

projectCommands(program, withDatabase);
userCommands(program, withDatabase);
groupCommands(program, withDatabase);
grantCommands(program, withDatabase);
tileCommands(program, withDatabase);

program.parseAsync().catch((error: Error) => {
  if (error instanceof CommanderError) {
    // It has told already what is wrong.
    process.exitCode = error.exitCode === 0 ? 0 : usage;
    return;
  }
  process.stderr.write(`cartulary: ${describeError(error)}\n`);
  process.exitCode = 1;
});

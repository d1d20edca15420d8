import type { Command } from 'commander';
import { withDatabase } from '../client/database.js';
import type { Globals } from '../client/session.js';
import { usage } from '../command-line.js';
import { CommandFailure } from '../failure.js';

/**
 * Runs work on the configured database, for commands without a function of the interface. Refuses a given
 * address.
 */
export function onDatabase(program: Command): typeof withDatabase {
  return (work, options) => {
    const { url } = program.optsWithGlobals<Globals>();
    if (url)
      throw new CommandFailure(
        `This command works on the database itself, not at ${url.shown}`,
        'Leave --url and CARTULARY_URL out, on the machine of the server.',
        usage,
      );
    return withDatabase(work, options);
  };
}

import type { Command } from 'commander';
import { usage } from '../command-line.js';
import { CommandFailure, describeError } from '../failure.js';
import { tell } from '../output.js';
import { type Address, socketAddress } from './address.js';
import { type Client, createClient } from './client.js';

/** Options that every command has. */
export interface Globals {
  url?: Address;
  token?: string;
  json?: boolean;
  progress?: boolean;
  /** s */
  timeout: number;
}

export interface CommandSession {
  client: Client;
  /** Whether the result is printed as JSON. */
  json: boolean;
  progress: boolean | undefined;
}

interface Wanted {
  /** Whether the command saves styles. On the data folder that needs a renderer, which knows the fonts. */
  drawing?: boolean;
  /** Overrides the project of the options. */
  project?: string;
}

/**
 * Runs the work of a command with a client of the service at the address, or of a temporary service on the
 * data folder.
 */
export async function withService(
  command: Command,
  work: (session: CommandSession) => Promise<unknown>,
  wanted: Wanted = {},
): Promise<void> {
  const options = command.optsWithGlobals<Globals & { project?: string }>();
  const { url, json = false, progress } = options;
  const project = wanted.project ?? options.project ?? url?.project;
  if (!project)
    throw new CommandFailure('Which project?', 'Give --project <code>, or set CARTULARY_PROJECT.', usage);
  const { client, end } = await connect(command, project, wanted);
  try {
    await work({ client, json, progress });
  } finally {
    await end();
  }
}

async function connect(
  command: Command,
  project: string,
  wanted: Wanted,
): Promise<{ client: Client; end: () => Promise<void> }> {
  const { url, token, timeout } = command.optsWithGlobals<Globals>();
  const silenceMs = timeout * 1000;
  if (url) {
    return { client: createClient({ address: url, project, token, silenceMs }), end: async () => {} };
  }
  if (tokenWasGiven(command))
    throw new CommandFailure('A token is for an address', 'Give --url beside --token.', usage);
  // Loaded here, so that commands at an address start without the service.
  const { startOwnService } = await import('./service.js');
  const own = await startOwnService(project, wanted).catch((error: Error) => {
    throw inUse(error);
  });
  for (const note of own.notes) if (process.stderr.isTTY || /password/.test(note)) tell(note);
  const address = socketAddress(own.socketPath, own.pages);
  return { client: createClient({ address, project, token: own.token, silenceMs }), end: own.stop };
}

const tokenWasGiven = (command: Command): boolean =>
  command.getOptionValueSourceWithGlobals('token') === 'cli';

/** The error for a locked data folder whose database does not answer: a server that starts or stops. */
function inUse(error: Error): Error {
  if (!/is in use by/.test(error.message)) return new CommandFailure(describeError(error));
  return new CommandFailure(
    error.message.replace(/ Stop that one first.*$/, ''),
    'It starts or stops: try again in a moment. A server that runs can be asked by its address: --url http://127.0.0.1:8080.',
  );
}

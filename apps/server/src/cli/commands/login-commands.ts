import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type Client, createClient, pathOf } from '../client/client.js';
import type { Globals } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { CommandFailure } from '../failure.js';
import { printJson } from '../output.js';

/** `cartulary login`, `cartulary logout` */
export function loginCommands(program: Command): void {
  examples(
    program
      .command('login <user>')
      .description(
        'sign in at an address, and print the token; the password is asked for, or read from standard input or CARTULARY_PASSWORD',
      )
      .addOption(projectOption()),
    'login ann --url https://maps.example.org --project city',
    'login ann < secret.txt',
    'export CARTULARY_TOKEN=$(cartulary login ann)   # signs in for the commands that follow',
  ).action(async (login: string, _options, command: Command) => {
    const client = clientOf(command, false);
    const password = await readPassword(login);
    const json = { login, password };
    const { token } = await client.call<{ token: string }>('POST', pathOf('login'), { json });
    if (command.optsWithGlobals<Globals>().json) return printJson({ token });
    print(token);
  });
  program
    .command('logout')
    .description('end the session of the token')
    .addOption(projectOption())
    .action(async (_options, command: Command) => {
      const client = clientOf(command, true);
      const { token } = command.optsWithGlobals<Globals>();
      await client.call('POST', pathOf('logout'), { json: { token } });
      print('Signed out');
    });
}

function clientOf(command: Command, withToken: boolean): Client {
  const { url: address, token, timeout, project } = command.optsWithGlobals<Globals & { project?: string }>();
  if (!address)
    throw new CommandFailure(
      'Where?',
      'Give --url, or set CARTULARY_URL. On the data folder nobody needs to sign in.',
      2,
    );
  if (withToken && !token) throw new CommandFailure('There is no token: CARTULARY_TOKEN is not set');
  const code = project ?? address.project;
  if (!code) throw new CommandFailure('Which project?', 'Give --project, or set CARTULARY_PROJECT.', 2);
  return createClient({
    address,
    project: code,
    token: withToken ? token : undefined,
    silenceMs: timeout * 1000,
  });
}

/** The password from the environment, the standard input or the terminal, without echo. */
async function readPassword(login: string): Promise<string> {
  const { CARTULARY_PASSWORD: given } = process.env;
  if (given) return given;
  const read = process.stdin.isTTY ? await ask(`Password of ${login}: `) : await text(process.stdin);
  const password = read.replace(/\r?\n$/, '');
  if (!password)
    throw new CommandFailure('There is no password', 'Give it on standard input, or in CARTULARY_PASSWORD.');
  return password;
}

async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  let typed = '';
  try {
    for await (const key of stdin.setEncoding('utf8'))
      for (const sign of key as string) {
        if (sign === '\r' || sign === '\n' || sign === '\u0004') return typed;
        if (sign === '\u0003') throw new CommandFailure('Cancelled', '', 130);
        typed = sign === '\u007f' || sign === '\b' ? typed.slice(0, -1) : typed + sign;
      }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

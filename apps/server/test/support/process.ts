import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { allocatorEnvironment } from '../../src/process/allocator.js';

export interface ServerProcess {
  child: ChildProcessWithoutNullStreams;
  /** What it has printed so far. */
  output(): string;
}

/** Starts the server as a process on a data folder, by a command, and waits for nothing. */
export function launchServer(
  dataFolder: string,
  settings: Record<string, string> = {},
  [program, ...parameters]: [string, ...string[]] = [process.execPath, 'apps/server/dist/src/main.js'],
): ServerProcess {
  const env = {
    PATH: process.env.PATH,
    ...allocatorEnvironment,
    PORT: '0',
    CARTULARY_DATA: dataFolder,
    CARTULARY_DEMO: '0',
    CARTULARY_LOG_LEVEL: 'error',
    ...settings,
  };
  const child = spawn(program, parameters, { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

/** The first match in what it prints; throws its whole output when it ends before. */
export async function printed({ child, output }: ServerProcess, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output());
    if (found) return found;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(output());
    await sleep(50);
  }
}

/** Starts the server as a process, and waits until it is ready at `url`. */
export async function serverProcess(
  dataFolder: string,
  settings?: Record<string, string>,
  command?: [string, ...string[]],
): Promise<ServerProcess & { url: string }> {
  const started = launchServer(dataFolder, settings, command);
  const [, url] = await printed(started, /(http:\/\/[^/\s]+)\//);
  return { ...started, url: url! };
}

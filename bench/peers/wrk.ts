import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf, run, type Stage } from '../stage.js';

export interface Load {
  base: string;
  /** Requested in rotation, from a random start. */
  paths: readonly string[];
  connections: number;
  seconds: number;
  /** Average pause between the requests of a connection, ms; absent: none. */
  rest?: number;
}

export interface Loaded {
  perSecond: number;
  /** Milliseconds. */
  p99: number;
}

/** The longest period that is tried, s. */
const longest = 30;

/**
 * Loads a server with wrk (one thread). A period in which nothing was answered is repeated with twice its length. Throws for a
 * status other than 2xx or 3xx.
 */
export async function wrk(stage: Stage, load: Load): Promise<Loaded> {
  const folder = await folderOf(stage, 'wrk');
  const [list, script] = [join(folder, 'paths.txt'), join(folder, 'load.lua')];
  await writeFile(list, load.paths.join('\n'));
  await writeFile(script, lua(list, load.rest));
  const options = [
    '-t1',
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    '--timeout',
    '30s',
    '--latency',
    '-s',
    script,
  ];
  const { stdout } = await run('wrk', [...options, load.base]);
  if (/^\s*0 requests in/m.test(stdout) && load.seconds < longest)
    return await wrk(stage, { ...load, seconds: Math.min(load.seconds * 2, longest) });
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  if (!perSecond || !p99 || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk: ${stdout}`);
  return { perSecond, p99: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'] };
}

/** Pauses are random between 0 and twice the average, like the requests of many independent users. */
const lua = (list: string, rest: number | undefined): string => `
local requests = {}
for line in io.lines(${JSON.stringify(list)}) do requests[#requests + 1] = line end
local at
function init(args)
  math.randomseed(os.time())
  at = math.random(#requests)
  for i = 1, #requests do requests[i] = wrk.format("GET", requests[i]) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
${rest === undefined ? '' : `function delay() return math.random(0, ${Math.max(1, Math.round(2 * rest))}) end`}
`;

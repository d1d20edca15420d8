import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readers } from '../service.js';
import { folderOf, run, type Stage } from '../stage.js';

/** Parameters of a pgbench run. */
export interface Asked {
  database: string;
  /** The script of one transaction. */
  script: string;
  seconds: number;
}

/** Runs a script with as many clients as the service has connections. Returns transactions per second. Throws if one fails. */
export async function pgbench(stage: Stage, { database, script, seconds }: Asked): Promise<number> {
  const file = join(await folderOf(stage, 'pgbench'), 'script.sql');
  await writeFile(file, script);
  const options = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(readers),
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    file,
  ];
  const { stdout, stderr } = await run('pgbench', [...options, database]);
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
  if (!rate || failed || /ERROR/.test(stderr)) throw new Error(`pgbench: ${stdout}${stderr}`);
  return rate;
}

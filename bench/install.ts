import { spawn } from 'node:child_process';
import { once } from 'node:events';

const script = new URL('../../bench/install.sh', import.meta.url).pathname;

/** Installs what is missing of the peers. Throws a sentence when that cannot be. */
export async function install(): Promise<void> {
  const child = spawn('bash', [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('What the bench needs is not installed');
}

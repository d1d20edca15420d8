import { spawn } from 'node:child_process';
import { once } from 'node:events';

const script = new URL('../../bench/install.sh', import.meta.url).pathname;

/** Installs missing programs: all peers, or only the tools that load the service. Throws if that fails. */
export async function install(which: 'peers' | 'tools'): Promise<void> {
  const child = spawn('bash', [script, which], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The programs of the benchmark could not be installed');
}

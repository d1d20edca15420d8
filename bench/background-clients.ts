/**
 * Clients that ask without rest until they are told to end (SIGTERM), in a process of their own, so that reading their answers does not
 * delay who measures beside them. The argument is a `Crowd` as JSON. Prints how many answers were complete, and refused.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Crowd {
  base: string;
  /** Are asked in turn. */
  paths: readonly string[];
  clients: number;
}

export interface CrowdSeen {
  complete: number;
  /** Answers 503, each followed by the rest that it asks for. */
  refused: number;
  /** Other answers, and connections that broke. */
  failed: number;
  bytes: number;
}

const { base, paths, clients } = JSON.parse(process.argv[2]!) as Crowd;
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const seen: CrowdSeen = { complete: 0, refused: 0, failed: 0, bytes: 0 };
let next = 0;

/** Seconds after which the service may be asked again; 0: at once. */
const answerTo = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = get(new URL(path, base), { agent }, (answer) => {
      const isRefused = answer.statusCode === 503;
      answer.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
      answer.once('error', reject);
      answer.once('end', () => {
        seen[isRefused ? 'refused' : answer.statusCode === 200 ? 'complete' : 'failed'] += 1;
        resolve(isRefused ? Number(answer.headers['retry-after'] ?? 1) : 0);
      });
    });
    sent.once('error', reject);
  });

async function client(): Promise<never> {
  for (;;) {
    const path = paths[next++ % paths.length]!;
    const wait = await answerTo(path).catch(() => {
      seen.failed += 1;
      return 1;
    });
    if (wait) await sleep(wait * 1000);
  }
}

process.once('SIGTERM', () => process.stdout.write(JSON.stringify(seen), () => process.exit(0)));
for (let i = 0; i < clients; i++) void client();

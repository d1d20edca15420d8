/**
 * Background clients: they send requests without a pause until SIGTERM. They run in a separate process, so that reading
 * their responses does not delay the measurement. The argument is a `BackgroundLoad` as JSON. Prints the counts of responses.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BackgroundLoad {
  base: string;
  /** Requested in rotation. */
  paths: readonly string[];
  clients: number;
}

export interface BackgroundCounts {
  complete: number;
  /** Responses 503. The client waits for Retry-After after each. */
  refused: number;
  /** Other responses and broken connections. */
  failed: number;
  bytes: number;
}

const { base, paths, clients } = JSON.parse(process.argv[2]!) as BackgroundLoad;
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const seen: BackgroundCounts = { complete: 0, refused: 0, failed: 0, bytes: 0 };
let next = 0;

/** Sends a request. Returns the seconds to wait before the next one. */
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

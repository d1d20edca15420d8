import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  type: string;
  bytes: Buffer;
}

/** A client with persistent connections. */
export interface Client {
  get(path: string): Promise<Answer>;
  close(): void;
}

export function openClient(base: string, connections: number, headers: Record<string, string> = {}): Client {
  const { hostname, port } = new URL(base);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const get = (path: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, agent, headers, timeout: 60_000 }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          const type = answer.headers['content-type'] ?? '';
          resolve({ status: answer.statusCode!, type, bytes: Buffer.concat(chunks) });
        });
      });
      sent.once('timeout', () => sent.destroy(new Error(`${path}: no answer in 60 s`)));
      sent.once('error', reject);
      sent.end();
    });
  return { get, close: () => agent.destroy() };
}

/** Throws for a wrong response. */
export type Check = (answer: Answer, path: string) => void;

/** Demands status 200, a media type and a body. */
export const demand =
  (type: string): Check =>
  (answer, path) => {
    if (answer.status === 200 && answer.type.startsWith(type) && answer.bytes.length) return;
    const text = answer.bytes.subarray(0, 300).toString();
    throw new Error(`${path}: ${answer.status} ${answer.type}, ${answer.bytes.length} bytes: ${text}`);
  };

/** Demands a PNG of 256 × 256 pixels. */
export const demandTile: Check = (answer, path) => {
  demand('image/png')(answer, path);
  const { bytes } = answer;
  const isTile =
    bytes.subarray(1, 4).toString() === 'PNG' &&
    bytes.readUInt32BE(16) === 256 &&
    bytes.readUInt32BE(20) === 256;
  if (!isTile) throw new Error(`${path}: no PNG of 256 × 256 pixels`);
};

/** Processes the items of a list by concurrent workers. */
export async function inParallel<T>(
  list: Iterable<T>,
  workers: number,
  work: (item: T, worker: number) => Promise<void>,
): Promise<void> {
  const items = list[Symbol.iterator]();
  const worker = async (_: unknown, number: number): Promise<void> => {
    for (let next = items.next(); !next.done; next = items.next()) await work(next.value, number);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** Yields items until the time is over or `next` returns undefined. */
export function* during<T>(seconds: number, next: () => T | undefined): Generator<T> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const item = next();
    if (item === undefined) return;
    yield item;
  }
}

import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Targets that no style may reach: a file that records reads, and a server that counts connections. */
export interface Canary {
  /** An SVG filled with `#ff00ff`. */
  file: string;
  /** `127.0.0.1:<port>`. */
  host: string;
  /** Accesses of file and server so far; empty: none. */
  touched(): Promise<string[]>;
  close(): Promise<void>;
}

/** Reads update the access time only when it is older than the last change (mount option relatime). */
const [before, changed] = [new Date('2001-01-01'), new Date('2002-01-01')];

export async function startCanary(): Promise<Canary> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-canary-'));
  const file = join(folder, 'canary.svg');
  const twin = join(folder, 'twin.svg');
  for (const path of [file, twin]) {
    const picture = '<rect width="100" height="100" fill="#ff00ff"/>';
    await writeFile(
      path,
      `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${picture}</svg>`,
    );
    await utimes(path, before, changed);
  }
  const isRead = async (path: string): Promise<boolean> =>
    (await stat(path)).atime.getTime() !== before.getTime();
  await readFile(twin);
  // Without access times (mount option noatime) the test relies on the canary's colour.
  const notes = await isRead(twin);
  const knocks: string[] = [];
  const trap = createServer((socket) => {
    knocks.push(`a connection from ${socket.remotePort}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const { port } = trap.address() as { port: number };
  return {
    file,
    host: `127.0.0.1:${port}`,
    touched: async () => [...knocks, ...(notes && (await isRead(file)) ? ['the file was read'] : [])],
    async close() {
      trap.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Ways to name the canary in a style, an icon or a setting; `from`: folders that the service knows. */
export const namesOf = ({ file, host }: Canary, from: readonly string[]): string[] => [
  file,
  `file://${file}`,
  `file:${file}`,
  `//localhost${file}`,
  `/./${file}`,
  file.replaceAll('/', '%2f'),
  `${file}\\u0000.svg`,
  `/vsicurl/http://${host}/a.svg`,
  `/proc/self/root${file}`,
  ...from.map((folder) => relative(folder, file)),
  ...from.map((folder) => `star/../${relative(folder, file)}`),
  `http://${host}/a.svg`,
  `https://${host}/a.svg`,
  `//${host}/a.svg`,
  `ftp://${host}/a.svg`,
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="#ff00ff"/></svg>',
  'data:image/svg+xml;base64,PHN2Zy8+',
  '[path]',
  'shape://ellipse',
  '../star',
  './star',
  'star.svg',
];

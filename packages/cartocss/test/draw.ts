import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface DrawRequest {
  id: number;
  xml: string;
  /** West, south, east, north in EPSG:3857. */
  extent: readonly [number, number, number, number];
  /** Width and height in pixels. */
  size: number;
  /** Unknown attributes are an error. */
  strict: boolean;
  scale: number;
}

export interface DrawAnswer {
  id: number;
  error?: string;
  /** Red, green, blue, alpha (premultiplied). */
  pixels?: Uint8Array;
  png?: Uint8Array;
}

export interface Drawer {
  /** Rejects if Mapnik refuses the map, crashes, or takes more than ten seconds. */
  draw(request: Omit<DrawRequest, 'id'>): Promise<{ pixels: Uint8Array; png: Uint8Array }>;
  close(): void;
}

/** Starts a process that draws. After a crash the next image starts another process. */
export function startDrawer(): Drawer {
  let child: ChildProcess | undefined;
  let next = 1;
  const start = (): ChildProcess => {
    const path = fileURLToPath(new URL('./draw-child.js', import.meta.url));
    return fork(path, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  };
  return {
    draw(request) {
      child ??= start();
      const worker = child;
      const id = next++;
      return new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          worker.off('message', receive);
          worker.off('exit', exit);
        };
        const receive = (answer: DrawAnswer): void => {
          if (answer.id !== id) return;
          end();
          if (answer.pixels && answer.png) resolve({ pixels: answer.pixels, png: answer.png });
          else reject(new Error(answer.error));
        };
        const exit = (code: number | null, signal: string | null): void => {
          end();
          if (child === worker) child = undefined;
          reject(new Error(`crash: ${signal ?? code}`));
        };
        const timer = setTimeout(() => {
          end();
          child = undefined;
          worker.kill('SIGKILL');
          reject(new Error('timeout'));
        }, 10_000);
        worker.on('message', receive);
        worker.on('exit', exit);
        worker.send({ ...request, id });
      });
    },
    close() {
      child?.kill();
      child = undefined;
    },
  };
}

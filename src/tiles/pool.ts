import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../http/service.js';
import type { FromRenderer, RenderJob, ToRenderer } from './messages.js';

/** Killable renderer processes behind one queue. */
export interface RendererPool {
  /**
   * Draws a job: its tiles, row by row from the north-west. Throws `busy` when the queue is full or the wait too long,
   * `timeout` when drawing takes too long (the process is ended), `internal` when it crashes or Mapnik fails. A
   * job that every caller has left is dropped from the queue.
   */
  render(job: RenderJob, signal?: AbortSignal): Promise<Uint8Array[]>;
  /** Process ids of the renderers that run. */
  processes(): number[];
  close(): Promise<void>;
}

interface Waiting {
  job: RenderJob;
  resolve: (tiles: Uint8Array[]) => void;
  reject: (error: ServiceError) => void;
  overdue: NodeJS.Timeout;
}

interface Renderer {
  child: ChildProcess;
  ready: boolean;
  working: Waiting | undefined;
  limit: NodeJS.Timeout | undefined;
  /** Why we ended the process; undefined: it crashed. */
  ended: 'timeout' | 'memory' | 'close' | undefined;
}

/** A style that ended this many processes is not drawn again for a while. */
const killsToQuarantine = 2;
const quarantineMs = 60_000;

const script = fileURLToPath(new URL('./renderer.js', import.meta.url));

/** Starts the renderer processes; they warm up beside the caller. */
export function createRendererPool({ config, log }: { config: Config; log: Log }): RendererPool {
  const queue: Waiting[] = [];
  const renderers = new Set<Renderer>();
  const kills = new Map<string, { count: number; until: number }>();
  let closing = false;
  let lastId = 0;

  function start(): void {
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' };
    const child = fork(script, [], {
      serialization: 'advanced',
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    const renderer: Renderer = {
      child,
      ready: false,
      working: undefined,
      limit: undefined,
      ended: undefined,
    };
    renderers.add(renderer);
    child.on('message', (message: FromRenderer) => received(renderer, message));
    child.once('error', (error) => log.error({ err: error }, 'a renderer process failed'));
    child.once('exit', (code, signal) => exited(renderer, signal ?? code));
  }

  function received(renderer: Renderer, message: FromRenderer): void {
    if ('ready' in message) {
      renderer.ready = true;
      assign();
      return;
    }
    const { working } = renderer;
    clearTimeout(renderer.limit);
    renderer.working = undefined;
    if ('tiles' in message) working?.resolve(message.tiles);
    else {
      log.error({ detail: message.error }, 'a picture could not be drawn');
      working?.reject(new ServiceError('internal', 'The map could not be drawn'));
    }
    if (message.memory > config.rendererMemory * 1024 * 1024) end(renderer, 'memory');
    assign();
  }

  function exited(renderer: Renderer, how: string | number | null): void {
    renderers.delete(renderer);
    clearTimeout(renderer.limit);
    const { working, ended } = renderer;
    if (working && ended !== 'close') {
      condemn(working.job.xmlKey);
      log.warn({ how, ended }, 'a renderer process ended while drawing');
      working.reject(
        ended === 'timeout'
          ? new ServiceError('timeout', 'Drawing the map took too long and was stopped')
          : new ServiceError('internal', 'The map could not be drawn'),
      );
    }
    if (closing) return;
    // A process that dies before it is ready would be started again and again: wait a little.
    setTimeout(() => closing || start(), renderer.ready ? 0 : 1000).unref();
  }

  function end(renderer: Renderer, why: Renderer['ended']): void {
    renderer.ended = why;
    renderer.ready = false;
    renderer.child.kill('SIGKILL');
  }

  function condemn(key: string): void {
    const { count = 0 } = kills.get(key) ?? {};
    if (kills.size > 1000) kills.clear();
    kills.set(key, { count: count + 1, until: Date.now() + quarantineMs });
  }

  function isQuarantined(key: string): boolean {
    const known = kills.get(key);
    if (!known) return false;
    if (Date.now() > known.until) kills.delete(key);
    return known.count >= killsToQuarantine && Date.now() <= known.until;
  }

  function assign(): void {
    for (const renderer of renderers) {
      if (!queue.length) return;
      if (!renderer.ready || renderer.working) continue;
      const next = queue.shift()!;
      clearTimeout(next.overdue);
      renderer.working = next;
      renderer.limit = setTimeout(() => end(renderer, 'timeout'), config.renderTimeout);
      renderer.child.send({ id: ++lastId, job: next.job } satisfies ToRenderer);
    }
  }

  function leave(waiting: Waiting, error: ServiceError): void {
    const index = queue.indexOf(waiting);
    if (index < 0) return;
    queue.splice(index, 1);
    clearTimeout(waiting.overdue);
    waiting.reject(error);
  }

  for (let i = 0; i < config.renderers; i++) start();

  return {
    render(job, signal) {
      return new Promise((resolve, reject) => {
        if (closing) return reject(new ServiceError('busy', 'The service is stopping'));
        if (isQuarantined(job.xmlKey)) {
          const message = 'This style has ended the renderer repeatedly and is not drawn for a minute';
          return reject(new ServiceError('timeout', message, { retry_after: quarantineMs / 1000 }));
        }
        if (queue.length >= config.renderQueue)
          return reject(new ServiceError('busy', undefined, { retry_after: 2 }));
        const waiting: Waiting = {
          job,
          resolve,
          reject,
          overdue: setTimeout(
            () => leave(waiting, new ServiceError('busy', undefined, { retry_after: 2 })),
            config.renderWait,
          ),
        };
        queue.push(waiting);
        signal?.addEventListener(
          'abort',
          () => leave(waiting, new ServiceError('timeout', 'The client has gone')),
          { once: true },
        );
        assign();
      });
    },
    processes: () => [...renderers].flatMap(({ child }) => child.pid ?? []),
    async close() {
      closing = true;
      for (const waiting of [...queue]) leave(waiting, new ServiceError('busy', 'The service is stopping'));
      await Promise.all(
        [...renderers].map((renderer) => {
          const gone = new Promise((resolve) => renderer.child.once('exit', resolve));
          renderer.working?.reject(new ServiceError('busy', 'The service is stopping'));
          end(renderer, 'close');
          return gone;
        }),
      );
    },
  };
}

import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import { drawnFonts } from '../fonts/drawn.js';
import type { Log } from '../http/service.js';
import { busy } from '../http/turns.js';
import { createGivingWay } from './giving-way.js';
import type { FromRenderer, RenderJob } from './messages.js';
import { createQuarantine } from './quarantine.js';
import { type RendererProcess, startRenderer } from './renderer-process.js';

/** Killable renderer processes behind one queue. */
export interface RendererPool {
  /**
   * Draws a job: its tiles, row by row from the north-west. Throws `busy` when the queue is full or the wait too long,
   * `timeout` when drawing takes too long (the process is ended), `internal` when it crashes or Mapnik fails. A
   * job that waits is dropped when the signal is aborted; one that is being drawn is finished. `grow` gives what is drawn
   * instead when its turn has come: the same style at the same zoom level.
   */
  render(job: RenderJob, signal?: AbortSignal, grow?: () => RenderJob): Promise<Uint8Array[]>;
  /** Begins no drawing for a moment, since something else goes first until the function that it gives is called. */
  giveWay(): () => void;
  /** The names of their fonts, when the first renderer has started; undefined when none does so in time. */
  fonts: Promise<readonly string[] | undefined>;
  /** Process ids of the renderers that run. */
  processes(): number[];
  close(): Promise<void>;
}

interface Waiting {
  job: RenderJob;
  grow: (() => RenderJob) | undefined;
  resolve: (tiles: Uint8Array[]) => void;
  reject: (error: unknown) => void;
  /** Forgets the deadline and the signal. */
  settle: () => void;
}

interface Renderer {
  process: RendererProcess;
  /** Drawing, free, not yet started, or being ended. */
  state: 'starting' | 'free' | 'drawing' | 'ending';
  working: Waiting | undefined;
  limit: NodeJS.Timeout | undefined;
  hasStarted: boolean;
  /** Whether it was ended because drawing took too long. */
  isLate: boolean;
}

const stopping = (): ServiceError => new ServiceError('busy', 'The service is stopping');
/** What the database says of a layer or column that was deleted after the picture was planned: nothing else asks for one that is not there. */
const isGone = /\b(?:relation|column) .* does not exist/;
const justChanged = (): ServiceError =>
  new ServiceError('busy', 'The map has just changed; try again', { retry_after: 1 });
/** `detail`: what Mapnik says of it. */
const notDrawn = (detail?: string): ServiceError =>
  Object.assign(new ServiceError('internal', 'The map could not be drawn'), { cause: detail });
const tooSlow = (): ServiceError =>
  new ServiceError('timeout', 'Drawing the map took too long and was stopped');

function failureOf(detail: string): ServiceError {
  if (isGone.test(detail)) return justChanged();
  return /canceling statement|has ended the database/.test(detail) ? tooSlow() : notDrawn(detail);
}

/** How long the start of the service waits for the first renderer to say its fonts, ms. */
const patience = 10_000;

/** How long drawing gives way to a change at most, ms: three times what one takes. */
const longestWay = 40;

/** Starts the renderer processes; they warm up beside the caller. */
export function createRendererPool({ config, log }: { config: Config; log: Log }): RendererPool {
  const queue = new Set<Waiting>();
  const renderers = new Set<Renderer>();
  const quarantine = createQuarantine();
  const way = createGivingWay(longestWay, assign);
  // Once: all renderers have the same.
  const fontFiles = drawnFonts(config.fontFolder);
  let saysFonts: (fonts: readonly string[] | undefined) => void = () => {};
  const fonts = new Promise<readonly string[] | undefined>((resolve) => {
    saysFonts = resolve;
    setTimeout(resolve, patience, undefined).unref();
  });
  let isClosing = false;

  function start(): void {
    try {
      launch();
    } catch (error) {
      log.error({ err: error }, 'a renderer process could not be started');
      startLater(1000);
    }
  }

  const startLater = (ms: number): void => void setTimeout(() => isClosing || start(), ms).unref();

  function launch(): void {
    const renderer: Renderer = {
      process: startRenderer(
        { config, log, fonts: fontFiles },
        {
          onMessage: (message) => received(renderer, message),
          onExit: (how) => exited(renderer, how),
        },
      ),
      state: 'starting',
      working: undefined,
      limit: undefined,
      hasStarted: false,
      isLate: false,
    };
    renderers.add(renderer);
  }

  function received(renderer: Renderer, message: FromRenderer): void {
    const { working } = renderer;
    clearTimeout(renderer.limit);
    renderer.working = undefined;
    if ('ready' in message) started(renderer, message.fonts);
    else if ('tiles' in message) working?.resolve(message.tiles);
    else {
      log.error({ detail: message.error }, 'a picture could not be drawn');
      working?.reject(failureOf(message.error));
    }
    if (renderer.state === 'ending') return;
    renderer.state = 'free';
    if ('memory' in message && message.memory > config.rendererMemory * 1024 * 1024) {
      log.info({ bytes: message.memory }, 'a renderer process is replaced because of its memory');
      end(renderer);
    }
    assign();
  }

  function started(renderer: Renderer, names: readonly string[]): void {
    renderer.hasStarted = true;
    saysFonts(names);
  }

  function exited(renderer: Renderer, how: string): void {
    renderers.delete(renderer);
    clearTimeout(renderer.limit);
    const { working, isLate, hasStarted } = renderer;
    if (working) {
      quarantine.condemn(working.job);
      log.warn({ how, isLate }, 'a renderer process ended while drawing');
      working.reject(isLate ? tooSlow() : notDrawn());
    } else if (renderer.state !== 'ending') log.warn({ how }, 'a renderer process ended');
    // One that dies before it has started would be started again and again: wait a little.
    startLater(hasStarted ? 0 : 1000);
  }

  function end(renderer: Renderer): void {
    renderer.state = 'ending';
    renderer.process.kill();
  }

  function assign(): void {
    for (const renderer of renderers) {
      const [next] = queue;
      if (!next) return;
      if (renderer.state !== 'free') continue;
      if (way.waits()) return;
      queue.delete(next);
      next.settle();
      next.job = next.grow?.() ?? next.job;
      renderer.state = 'drawing';
      renderer.working = next;
      renderer.limit = setTimeout(() => {
        renderer.isLate = true;
        end(renderer);
      }, config.renderTimeout);
      renderer.process.send(next.job);
    }
  }

  function leave(waiting: Waiting, error: unknown): void {
    if (!queue.delete(waiting)) return;
    waiting.settle();
    waiting.reject(error);
  }

  /** Throws when a job is not even to wait. */
  function admit(job: RenderJob, signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (isClosing) throw stopping();
    const remaining = quarantine.remaining(job);
    if (remaining > 0) {
      const message = 'This style has ended the renderer repeatedly and is not drawn for a minute';
      throw new ServiceError('timeout', message, { retry_after: Math.ceil(remaining / 1000) });
    }
    if (queue.size >= config.renderQueue) throw busy();
  }

  for (let i = 0; i < config.renderers; i++) start();

  return {
    fonts,
    async render(job, signal, grow) {
      admit(job, signal);
      return new Promise((resolve, reject) => {
        const left = (): void => leave(waiting, signal!.reason);
        const tooLate = (): void => leave(waiting, busy());
        const deadline = setTimeout(tooLate, config.renderWait);
        const settle = (): void => {
          clearTimeout(deadline);
          signal?.removeEventListener('abort', left);
        };
        const waiting: Waiting = { job, grow, resolve, reject, settle };
        signal?.addEventListener('abort', left, { once: true });
        queue.add(waiting);
        assign();
      });
    },
    giveWay: way.to,
    processes: () => [...renderers].flatMap(({ process }) => process.pid ?? []),
    async close() {
      isClosing = true;
      for (const waiting of [...queue]) leave(waiting, stopping());
      const running = [...renderers];
      for (const renderer of running) {
        renderer.working?.reject(stopping());
        renderer.working = undefined;
        end(renderer);
      }
      await Promise.all(running.map(({ process }) => process.ended));
    },
  };
}

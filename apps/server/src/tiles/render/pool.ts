import { ServiceError } from '@cartulary/errors';
import { fontFaces } from '@cartulary/fonts';
import { type FromRenderer, type GlyphRange, SpritesImpossible } from '@cartulary/renderer';
import { busy, type Log } from '@cartulary/runtime';
import type { Config } from '../../config.js';
import type { DrawJob } from './draw-job.js';
import { drawFailureOf, notDrawn, stopping, tooSlow } from './failures.js';
import { Quarantine } from './quarantine.js';
import { type RendererProcess, startRenderer } from './renderer-process.js';
import { WritePriority } from './write-priority.js';

/** Killable renderer processes behind one queue. */
export interface RendererPool {
  /**
   * Draws a job: its tiles, row by row from the north-west. Throws `busy` when the queue is full or the wait too long,
   * `timeout` when drawing takes too long (the process is ended), `internal` when it crashes or Mapnik fails, `SpritesImpossible` where sprites
   * are impossible.
   * An aborted signal removes a waiting job; a job that is being drawn is finished. When a renderer is free, `grow`
   * gives the job that is drawn instead: the same style at the same zoom level.
   */
  render(job: DrawJob, signal?: AbortSignal, grow?: () => DrawJob): Promise<Uint8Array[]>;
  /** Encodes glyphs, in the queue of the jobs and with the errors of `render`. */
  glyphs(range: GlyphRange, signal?: AbortSignal): Promise<Uint8Array>;
  /** Starts no drawing for a moment, since a write goes first, until the returned function is called. */
  pauseForWrite(): () => void;
  /** Names of the renderers' fonts after the first one has started; undefined when there are no renderers. */
  fonts: Promise<readonly string[] | undefined>;
  /** Ids of the running processes. */
  processes(): number[];
  close(): Promise<void>;
}

/** A pool whose jobs go through `render`. */
export const withRender = (pool: RendererPool, render: RendererPool['render']): RendererPool => ({
  render,
  glyphs: (range, signal) => pool.glyphs(range, signal),
  pauseForWrite: () => pool.pauseForWrite(),
  fonts: pool.fonts,
  processes: () => pool.processes(),
  close: () => pool.close(),
});

interface Waiting {
  job: DrawJob | GlyphRange;
  grow: (() => DrawJob) | undefined;
  resolve: (tiles: Uint8Array[]) => void;
  reject: (error: unknown) => void;
  /** Removes the deadline and the signal's listener. */
  settle: () => void;
}

interface Renderer {
  process: RendererProcess;
  state: 'starting' | 'free' | 'drawing' | 'ending';
  working: Waiting | undefined;
  limit: NodeJS.Timeout | undefined;
  hasStarted: boolean;
  /** Whether the pool ended it because drawing took too long. */
  isLate: boolean;
}

/** Maximum pause of drawing for writes: three times the duration of one write. */
const maxWritePauseMs = 40;

/** Delay before a renderer that never started is started again. */
const restartDelayMs = 1_000;

interface PoolParts {
  config: Config;
  log: Log;
}

/** Starts the renderer processes; they warm up in the background. */
export const createRendererPool = (parts: PoolParts): RendererPool => new RendererProcesses(parts);

class RendererProcesses implements RendererPool {
  readonly fonts: Promise<readonly string[] | undefined>;
  readonly #config: Config;
  readonly #log: Log;
  readonly #queue = new Set<Waiting>();
  readonly #renderers = new Set<Renderer>();
  readonly #quarantine = new Quarantine();
  readonly #writePriority = new WritePriority(maxWritePauseMs, () => this.#assign());
  readonly #fontFiles: readonly string[];
  #resolveFonts: (fonts: readonly string[] | undefined) => void = () => {};
  #isClosing = false;

  constructor({ config, log }: PoolParts) {
    this.#config = config;
    this.#log = log;
    this.#fontFiles = fontFaces(config.fontFolder);
    this.fonts = new Promise((resolve) => {
      this.#resolveFonts = resolve;
    });
    for (let i = 0; i < config.renderers; i++) this.#start();
    // Command-line tools start no renderers.
    if (!config.renderers) this.#resolveFonts(undefined);
  }

  async render(job: DrawJob, signal?: AbortSignal, grow?: () => DrawJob): Promise<Uint8Array[]> {
    const remainingMs = this.#quarantine.remainingMs(job);
    if (remainingMs > 0) {
      const message = 'This style has ended the renderer repeatedly and is not drawn for a minute';
      throw new ServiceError('timeout', message, { retry_after: Math.ceil(remainingMs / 1000) });
    }
    return this.#wait(job, signal, grow);
  }

  async glyphs(range: GlyphRange, signal?: AbortSignal): Promise<Uint8Array> {
    const [encoded] = await this.#wait(range, signal);
    return encoded!;
  }

  async #wait(
    job: DrawJob | GlyphRange,
    signal: AbortSignal | undefined,
    grow?: () => DrawJob,
  ): Promise<Uint8Array[]> {
    this.#admit(signal);
    return new Promise((resolve, reject) => {
      const left = (): void => this.#leave(waiting, signal!.reason);
      const tooLate = (): void => this.#leave(waiting, busy());
      const deadline = setTimeout(tooLate, this.#config.renderWaitMs);
      const settle = (): void => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', left);
      };
      const waiting: Waiting = { job, grow, resolve, reject, settle };
      signal?.addEventListener('abort', left, { once: true });
      this.#queue.add(waiting);
      this.#assign();
    });
  }

  pauseForWrite(): () => void {
    return this.#writePriority.begin();
  }

  processes(): number[] {
    return [...this.#renderers].flatMap(({ process }) => process.pid ?? []);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const waiting of [...this.#queue]) this.#leave(waiting, stopping());
    const running = [...this.#renderers];
    for (const renderer of running) {
      renderer.working?.reject(stopping());
      renderer.working = undefined;
      this.#end(renderer);
    }
    await Promise.all(running.map(({ process }) => process.ended));
  }

  /** Throws when no job may wait. */
  #admit(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#isClosing) throw stopping();
    if (this.#queue.size >= this.#config.renderQueue) throw busy();
  }

  #leave(waiting: Waiting, error: unknown): void {
    if (!this.#queue.delete(waiting)) return;
    waiting.settle();
    waiting.reject(error);
  }

  /** Gives waiting jobs to free renderers, in the order in which they came. */
  #assign(): void {
    for (const renderer of this.#renderers) {
      const [next] = this.#queue;
      if (!next) return;
      if (renderer.state !== 'free') continue;
      if (this.#writePriority.mustWait()) return;
      this.#queue.delete(next);
      next.settle();
      next.job = next.grow?.() ?? next.job;
      renderer.state = 'drawing';
      renderer.working = next;
      renderer.limit = setTimeout(() => {
        renderer.isLate = true;
        this.#end(renderer);
      }, this.#config.renderTimeoutMs);
      renderer.process.send(next.job);
    }
  }

  #start(): void {
    try {
      this.#launch();
    } catch (error) {
      this.#log.error({ err: error }, 'a renderer process could not be started');
      this.#startAfter(restartDelayMs);
    }
  }

  #startAfter(delayMs: number): void {
    setTimeout(() => this.#isClosing || this.#start(), delayMs).unref();
  }

  #launch(): void {
    const renderer: Renderer = {
      process: startRenderer(
        { config: this.#config, log: this.#log, fonts: this.#fontFiles },
        {
          onMessage: (message) => this.#received(renderer, message),
          onExit: (how) => this.#exited(renderer, how),
        },
      ),
      state: 'starting',
      working: undefined,
      limit: undefined,
      hasStarted: false,
      isLate: false,
    };
    this.#renderers.add(renderer);
  }

  #received(renderer: Renderer, message: FromRenderer): void {
    const { working } = renderer;
    clearTimeout(renderer.limit);
    renderer.working = undefined;
    if ('ready' in message) {
      renderer.hasStarted = true;
      this.#resolveFonts(message.fonts);
    } else if ('tiles' in message) working?.resolve(message.tiles);
    else if (message.spritesImpossible !== undefined)
      working?.reject(new SpritesImpossible(message.spritesImpossible));
    else {
      this.#log.error({ detail: message.error }, 'a picture could not be drawn');
      working?.reject(drawFailureOf(message.error));
    }
    if (renderer.state === 'ending') return;
    renderer.state = 'free';
    if ('memory' in message && message.memory > this.#config.rendererMemoryMiB * 1024 * 1024) {
      this.#log.info({ bytes: message.memory }, 'a renderer process is replaced because of its memory');
      this.#end(renderer);
    }
    this.#assign();
  }

  #exited(renderer: Renderer, how: string): void {
    this.#renderers.delete(renderer);
    clearTimeout(renderer.limit);
    const { working, isLate, hasStarted } = renderer;
    if (working) {
      if ('xml' in working.job) this.#quarantine.condemn(working.job);
      this.#log.warn({ how, isLate }, 'a renderer process ended while drawing');
      working.reject(isLate ? tooSlow() : notDrawn());
    } else if (renderer.state !== 'ending') this.#log.warn({ how }, 'a renderer process ended');
    // The delay keeps a process that dies at its start from being restarted without a pause.
    this.#startAfter(hasStarted ? 0 : restartDelayMs);
  }

  #end(renderer: Renderer): void {
    renderer.state = 'ending';
    renderer.process.kill();
  }
}

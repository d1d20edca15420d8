import { ServiceError } from '@cartulary/errors';
import { fontFaces } from '@cartulary/fonts';
import { type FromRenderer, type GlyphRange, SpritesImpossible } from '@cartulary/renderer';
import { busy, type Log } from '@cartulary/runtime';
import type { Config } from '../../config.js';
import type { DrawJob } from './draw-job.js';
import { drawFailureOf, notDrawn, stopping, tooSlow } from './failures.js';
import { Quarantine } from './quarantine.js';
import { Renderer, type Waiting } from './renderer.js';
import { startRenderer } from './renderer-process.js';
import { WritePriority } from './write-priority.js';

/** Killable renderer processes behind one queue. */
export interface RendererPool {
  /**
   * Draws a job: its tiles, row by row from the north-west. Throws `busy` when the queue is full or the wait too long,
   * `timeout` when drawing takes too long (the process is ended), `internal` when it crashes or Mapnik fails, `SpritesImpossible` where sprites
   * are impossible.
   * An aborted signal removes a waiting job; a job that is being drawn is finished. When a renderer is free, `grow`,
   * which is called once, gives the job that is drawn instead: the same style at the same zoom level.
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

/** Maximum pause of drawing for writes: three times the duration of one write. */
const maxWritePauseMs = 40;

/** Jobs that a process is given: the one that it draws, and the next one. Small pictures are drawn 10 to 18 % more often than if each were sent after the one before. */
const mostJobs = 2;
/** Time of a drawing after which the next job is taken back as soon as another process has room. */
const stuckMs = 50;

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
  #queue = new Set<Waiting>();
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
      const settled =
        <Value>(answer: (value: Value) => void) =>
        (value: Value): void => {
          settle();
          answer(value);
        };
      const waiting: Waiting = { job, grow, resolve: settled(resolve), reject: settled(reject), settle };
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
      const { drawn, others } = renderer.abandon();
      for (const waiting of [...(drawn ? [drawn] : []), ...others]) waiting.reject(stopping());
      renderer.end();
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
    const isTakenBack = (renderer: Renderer): boolean => renderer.takeBackThis(waiting);
    if (!this.#queue.delete(waiting) && ![...this.#renderers].some(isTakenBack)) return;
    waiting.reject(error);
  }

  /** Gives waiting jobs to renderers, to free ones first. */
  #assign(): void {
    if (!this.#queue.size && !this.#ready(mostJobs).length) return;
    if (this.#writePriority.mustWait()) return;
    for (let jobs = 0; jobs < mostJobs; jobs++)
      for (const renderer of this.#ready(jobs)) {
        // Between two renderers that both draw for long a job would go to and fro.
        const isSoonFree = !jobs || renderer.drawingMs < stuckMs;
        const next =
          (isSoonFree ? this.#takenBack(stuckMs) : undefined) ??
          this.#fromQueue() ??
          (jobs ? undefined : this.#takenBack(0));
        if (next) renderer.give(next);
      }
  }

  /** The first job of the queue, as it is to be drawn. One that comes back from a process that ended stays what it has become. */
  #fromQueue(): Waiting | undefined {
    const [next] = this.#queue;
    if (!next) return undefined;
    this.#queue.delete(next);
    next.job = next.grow?.() ?? next.job;
    next.grow = undefined;
    return next;
  }

  /** A job that waits in a renderer which has drawn for so long. */
  #takenBack(ms: number): Waiting | undefined {
    for (const renderer of this.#ready(mostJobs)) {
      const waiting = renderer.drawingMs >= ms ? renderer.takeBack() : undefined;
      if (waiting) return waiting;
    }
    return undefined;
  }

  /** The renderers with so many jobs. */
  #ready(jobs: number): Renderer[] {
    return [...this.#renderers].filter((renderer) => renderer.state === 'ready' && renderer.jobs === jobs);
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
    const renderer: Renderer = new Renderer(
      startRenderer(
        { config: this.#config, log: this.#log, fonts: this.#fontFiles },
        {
          onMessage: (message) => this.#received(renderer, message),
          onExit: (how) => this.#exited(renderer, how),
        },
      ),
      this.#config.renderTimeoutMs,
    );
    this.#renderers.add(renderer);
  }

  #received(renderer: Renderer, message: FromRenderer): void {
    if ('ready' in message) {
      renderer.hasStarted = true;
      if (renderer.state === 'starting') renderer.state = 'ready';
      this.#resolveFonts(message.fonts);
    } else this.#answered(renderer, message);
    this.#assign();
  }

  #answered(renderer: Renderer, message: Exclude<FromRenderer, { ready: true }>): void {
    if ('memory' in message && message.memory > this.#config.rendererMemoryMiB * 1024 * 1024) {
      this.#log.info({ bytes: message.memory }, 'a renderer process is replaced because of its memory');
      renderer.end();
    }
    const waiting = renderer.answered(message.id);
    if ('isWithdrawn' in message) return;
    if ('tiles' in message) waiting?.resolve(message.tiles);
    else if (message.spritesImpossible !== undefined)
      waiting?.reject(new SpritesImpossible(message.spritesImpossible));
    else {
      this.#log.error({ detail: message.error }, 'a picture could not be drawn');
      waiting?.reject(drawFailureOf(message.error));
    }
  }

  #exited(renderer: Renderer, how: string): void {
    this.#renderers.delete(renderer);
    const { state, isLate, hasStarted } = renderer;
    const { drawn, others } = renderer.abandon();
    const isReplaced = state === 'ending' && !isLate;
    if (drawn && !isReplaced) {
      if ('xml' in drawn.job) this.#quarantine.condemn(drawn.job);
      this.#log.warn({ how, isLate }, 'a renderer process ended while drawing');
      drawn.reject(isLate ? tooSlow() : notDrawn());
    } else if (!isReplaced) this.#log.warn({ how }, 'a renderer process ended');
    this.#queue = new Set([...(drawn && isReplaced ? [drawn] : []), ...others, ...this.#queue]);
    this.#assign();
    // The delay keeps a process that dies at its start from being restarted without a pause.
    this.#startAfter(hasStarted ? 0 : restartDelayMs);
  }
}

import { setMaxListeners } from 'node:events';
import { ServiceError } from '@cartulary/errors';
import { createSemaphore, type Semaphore } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import { composeTiles, composeWms, type PlacedPicture, type WantedPicture } from './compose.js';
import { FetchError, type FetchLimits, fetchPicture, SilenceError } from './fetch.js';
import { normalizePicture } from './normalize.js';
import { type ExternalConfig, type Policy, policyOf } from './policy.js';
import { type ExternalSource, forbiddenHost } from './source.js';

export interface PictureConfig extends ExternalConfig {
  /** ms. */
  externalTimeoutMs: number;
  /** ms. */
  externalRestMs: number;
  /** Largest answer, bytes. */
  externalBytes: number;
  externalAtOnce: number;
  /** MiB. */
  externalCacheMiB: number;
}

/** Limits of the queue of requests to other servers: longest wait, ms, and most waiting requests. */
const queueLimits = { maxWaitMs: 10_000, maxWaiting: 400 };
/** How long a picture is cached when its server names no time, and the longest time of all, ms. */
const defaultFreshnessMs = 3_600_000;
const maxFreshnessMs = 7 * 86_400_000;
/** Hosts that are remembered as unresponsive. */
const maxSilentHosts = 1_000;
/** Estimated bytes of a cache entry beside its picture and its key. */
const entryBytes = 200;

/** Fetches the pictures of external layers for the renderer. */
export class ExternalPictures {
  readonly #config: PictureConfig;
  readonly #log: { warn(details: object, text: string): void };
  readonly #policy: Policy;
  readonly #limits: FetchLimits;
  readonly #semaphore: Semaphore;
  readonly #cache: LRUCache<string, Buffer>;
  /** Hosts that did not answer lately. Without this set each tile would wait for them again. */
  readonly #silentHosts = new LRUCache<string, true>({ max: maxSilentHosts });

  constructor(config: PictureConfig, log: { warn(details: object, text: string): void }) {
    this.#config = config;
    this.#log = log;
    this.#policy = policyOf(config);
    this.#limits = { time: config.externalTimeoutMs, bytes: config.externalBytes };
    this.#semaphore = createSemaphore(config.externalAtOnce, queueLimits);
    this.#cache = new LRUCache({
      maxSize: Math.max(1, config.externalCacheMiB * 1024 * 1024),
      sizeCalculation: (bytes, key) => bytes.length + key.length + entryBytes,
    });
  }

  /** Whether the service draws a source itself. */
  draws(source: ExternalSource): boolean {
    return source.isDrawn && forbiddenHost(source, this.#policy) === undefined;
  }

  /** The picture of a source in an extent. Throws `busy` (503) when its server fails. */
  async picture(source: ExternalSource, wanted: WantedPicture, signal: AbortSignal): Promise<PlacedPicture> {
    const leave = new AbortController();
    const all = AbortSignal.any([signal, leave.signal]);
    // Each waiting tile adds a listener.
    setMaxListeners(0, all);
    const load = (url: string): Promise<Buffer> => this.#loadOrRefuse(source, url, all);
    try {
      const compose = source.type === 'wms' ? composeWms : composeTiles;
      return await compose(source, wanted, load);
    } finally {
      // After the failure of one tile nothing needs the others.
      leave.abort(unreachable('the server'));
    }
  }

  async #loadOrRefuse(source: ExternalSource, url: string, signal: AbortSignal): Promise<Buffer> {
    try {
      return await this.#load(source, url, signal);
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      const { host } = new URL(url);
      this.#log.warn({ host, detail: error.message }, 'a picture of an external layer could not be fetched');
      throw unreachable(host);
    }
  }

  /** The bytes of a picture, from the cache or its server; empty for a picture without content. */
  async #load(source: ExternalSource, url: string, signal: AbortSignal): Promise<Buffer> {
    const key = `${source.isSparse}/${url}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const answer = await this.#fetch(new URL(url), signal);
    const isEmpty = answer.status === 204 || (source.isSparse && answer.status === 404);
    if (answer.status !== 200 && !isEmpty) throw new FetchError(`the status is ${answer.status}`);
    const bytes = isEmpty ? Buffer.alloc(0) : await normalizePicture(answer.bytes);
    const ttl = Math.min(answer.freshness ?? defaultFreshnessMs, maxFreshnessMs);
    if (ttl > 0 && this.#config.externalCacheMiB > 0) this.#cache.set(key, bytes, { ttl });
    return bytes;
  }

  async #fetch(url: URL, signal: AbortSignal): ReturnType<typeof fetchPicture> {
    try {
      return await this.#semaphore(() => {
        if (this.#silentHosts.has(url.host)) throw new FetchError('it did not answer a moment ago');
        return fetchPicture(url, { policy: this.#policy, limits: this.#limits }, signal);
      }, signal);
    } catch (error) {
      const { externalRestMs } = this.#config;
      if (error instanceof SilenceError && externalRestMs)
        this.#silentHosts.set(url.host, true, { ttl: externalRestMs });
      throw error;
    }
  }
}

const unreachable = (host: string): ServiceError =>
  new ServiceError(
    'busy',
    `The external layer cannot be drawn: ${host} does not give its picture; try again`,
    { host, retry_after: 5 },
  );

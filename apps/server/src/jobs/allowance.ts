import { ServiceError } from '@cartulary/errors';

export interface JobLimits {
  /** Unfinished jobs of one owner. */
  jobs: number;
  /** Open event streams of one owner. */
  streams: number;
  /** Bytes of the files of all jobs. */
  bytes: number;
}

/** The share of one job in the disk space for jobs. */
export interface JobQuota {
  /** Reserves further bytes. Throws 429 above the limits. */
  take(bytes: number): void;
  /** Gives back all reserved bytes. */
  release(): void;
}

type LimitedKind = 'jobs' | 'streams';

/** How long clients are asked to wait after a 429. */
const retryAfterSeconds = 10;

const names: Readonly<Record<LimitedKind, string>> = {
  jobs: 'unfinished jobs',
  streams: 'open event streams',
};

const refusal = (message: string, limit: number): ServiceError =>
  new ServiceError('too_many_requests', message, { limit, retry_after: retryAfterSeconds });

/** 429 for an owner that has as many jobs or streams as the limit allows. */
export const tooMany = (kind: LimitedKind, count: number, limit: number): ServiceError =>
  refusal(`You have ${count} ${names[kind]}, which is the most`, limit);

/**
 * The limits of this process: jobs and streams of each owner, and bytes on its disk. The database counts jobs again, for all
 * processes.
 */
export class Allowance {
  /** Bytes of kept files and of other processes, which no quota holds. */
  keptBytes = 0;
  readonly #limits: JobLimits;
  readonly #counts = { jobs: new Map<string, number>(), streams: new Map<string, number>() };
  #reservedBytes = 0;
  readonly #reservedByOwner = new Map<string, number>();

  constructor(limits: JobLimits) {
    this.#limits = limits;
  }

  /** Counts one more of a kind; the returned function ends it. Throws 429 above the limit. */
  enter(kind: LimitedKind, owner: string): () => void {
    const counts = this.#counts[kind];
    const count = counts.get(owner) ?? 0;
    if (count >= this.#limits[kind]) throw tooMany(kind, count, this.#limits[kind]);
    counts.set(owner, count + 1);
    let hasLeft = false;
    return () => {
      if (!hasLeft) add(counts, owner, -1);
      hasLeft = true;
    };
  }

  /** An empty quota. One owner may reserve half of all bytes. */
  openQuota(owner: string): JobQuota {
    let taken = 0;
    return {
      take: (bytes) => {
        this.#reserve(owner, bytes);
        taken += bytes;
      },
      release: () => {
        this.#reservedBytes -= taken;
        if (taken) add(this.#reservedByOwner, owner, -taken);
        taken = 0;
      },
    };
  }

  #reserve(owner: string, bytes: number): void {
    const limit = this.#limits.bytes;
    if (this.keptBytes + this.#reservedBytes + bytes > limit)
      throw refusal('The files of jobs take all the space that is allowed for them; try later', limit);
    if ((this.#reservedByOwner.get(owner) ?? 0) + bytes > limit / 2)
      throw refusal('Your files take all the space that is allowed for one user; try later', limit / 2);
    this.#reservedBytes += bytes;
    add(this.#reservedByOwner, owner, bytes);
  }
}

/** Changes a count of an owner; owners with nothing are left out. */
function add(counts: Map<string, number>, owner: string, change: number): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count) counts.set(owner, count);
  else counts.delete(owner);
}

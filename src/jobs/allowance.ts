import { ServiceError } from '../errors.js';

export interface Limits {
  /** Unfinished jobs of one owner. */
  jobs: number;
  /** Open event streams of one owner. */
  streams: number;
  /** Bytes of all files of jobs. */
  bytes: number;
}

/** Room for the files of one job. */
export interface Room {
  /** Throws 429 when there is no room for so many bytes more. */
  take(bytes: number): void;
  /** Gives back all that was taken. */
  leave(): void;
}

/** Counts in this process what owners have, and the bytes that lie on its disk. Jobs are counted again in the database, for all processes. */
export interface Allowance {
  /** One more of a kind; gives a function that ends it. Throws 429 above the limit. */
  enter(kind: 'jobs' | 'streams', owner: string): () => void;
  /** Half of the bytes are left to other owners. */
  openRoom(owner: string): Room;
  /** Bytes of files that are kept and those of other processes, beside those of the rooms. */
  kept: number;
}

/** s after which one may ask again. */
const retryAfter = 10;
const names = { jobs: 'unfinished jobs', streams: 'open event streams' };
const refusal = (message: string, limit: number): ServiceError =>
  new ServiceError('too_many_requests', message, { limit, retry_after: retryAfter });

/** Who has `count` of a kind may not have more. */
export const tooMany = (kind: keyof typeof names, count: number, limit: number): ServiceError =>
  refusal(`You have ${count} ${names[kind]}, which is the most`, limit);

export function createAllowance(limits: Limits): Allowance {
  const counts = { jobs: new Map<string, number>(), streams: new Map<string, number>() };
  let inRooms = 0;
  const inRoomsOf = new Map<string, number>();
  const allowance: Allowance = {
    kept: 0,
    enter(kind, owner) {
      const count = counts[kind].get(owner) ?? 0;
      if (count >= limits[kind]) throw tooMany(kind, count, limits[kind]);
      counts[kind].set(owner, count + 1);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        const rest = counts[kind].get(owner)! - 1;
        if (rest) counts[kind].set(owner, rest);
        else counts[kind].delete(owner);
      };
    },
    openRoom(owner) {
      let taken = 0;
      return {
        take(bytes) {
          if (allowance.kept + inRooms + bytes > limits.bytes)
            throw refusal('The files of jobs take all the room that they may have; try later', limits.bytes);
          const own = (inRoomsOf.get(owner) ?? 0) + bytes;
          if (own > limits.bytes / 2)
            throw refusal('Your files take all the room that they may have; try later', limits.bytes / 2);
          taken += bytes;
          inRooms += bytes;
          inRoomsOf.set(owner, own);
        },
        leave() {
          if (!taken) return;
          inRooms -= taken;
          const rest = inRoomsOf.get(owner)! - taken;
          if (rest) inRoomsOf.set(owner, rest);
          else inRoomsOf.delete(owner);
          taken = 0;
        },
      };
    },
  };
  return allowance;
}

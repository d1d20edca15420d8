import { badRequest } from '@cartulary/errors';
import { createSemaphore } from '@cartulary/runtime';
import { hash, verify } from '@node-rs/argon2';

/**
 * The least cost of Argon2id that OWASP recommends (Password Storage Cheat Sheet, 2024): 19 MiB, 2 passes, 1
 * lane.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Length of a password, characters. A longer one is refused before the hash is computed. */
const minLength = 8;
const maxLength = 1024;

/** Hashing needs much memory and time, so it is limited to two at once, and the queue to 200. */
const hashing = createSemaphore(2, { maxWaiting: 200 });

/** The Argon2id hash of a new password, as a PHC string. Throws 400 for a wrong length, and `busy`. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < minLength || password.length > maxLength) {
    throw badRequest(`A password has ${minLength} to 1,024 characters`, { parameters: ['password'] });
  }
  return hashing(() => hash(password, cost));
}

/** The hash of a discarded random password, at the same cost. An unknown login is checked against it. */
const unknownLoginHash =
  '$argon2id$v=19$m=19456,t=2,p=1$lrmdXDHJDKLxZnGT39PRwQ$tg/2HJhISQ7ZPWRjllhrZpNvmCcdEZA7EaCmhAXbUEk';

/**
 * Whether the password fits the hash, checked in the queue of an owner (`http/limits/owner.ts`). Without a hash (an
 * unknown login) the result is false after the same time. Throws `busy`.
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  owner: string,
): Promise<boolean> {
  if (password.length > maxLength) return false;
  const fits = await hashing.for(owner)(() => verify(stored ?? unknownLoginHash, password));
  return fits && typeof stored === 'string';
}

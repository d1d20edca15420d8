import { hash, verify } from '@node-rs/argon2';
import { badRequest } from '../errors.js';
import { createTurns } from '../http/turns.js';

/** OWASP's smallest advised cost of Argon2id (Password Storage Cheat Sheet, 2024): 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Characters of a password. A longer one is refused without hashing, which would take time for nothing. */
const shortest = 8;
const longest = 1024;

/** Hashing takes memory and time on purpose: this many at once, the next ones wait, and more than these are turned away. */
const turns = createTurns(2, { waiting: 200 });

/** The Argon2id hash of a new password, as a PHC string. Throws 400 for one that is too short or too long, `busy`. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < shortest || password.length > longest) {
    throw badRequest(`A password has ${shortest} to 1,024 characters`, { parameters: ['password'] });
  }
  return turns(() => hash(password, cost));
}

/** The hash, at the same cost, of a random password that was thrown away: what an unknown login is checked against. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$lrmdXDHJDKLxZnGT39PRwQ$tg/2HJhISQ7ZPWRjllhrZpNvmCcdEZA7EaCmhAXbUEk';

/** Whether the password fits the hash, judged in the turns of an owner (`http/owner.ts`). Without a hash (an unknown login) it says no after the same time. Throws `busy`. */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  owner: string,
): Promise<boolean> {
  if (password.length > longest) return false;
  const fits = await turns.for(owner)(() => verify(stored ?? nobody, password));
  return fits && typeof stored === 'string';
}

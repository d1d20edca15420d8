import { hash, verify } from '@node-rs/argon2';
import { badRequest } from '../errors.js';

/** OWASP's smallest advised cost of Argon2id (Password Storage Cheat Sheet, 2024): 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashing is memory and time on purpose: this many at once, the others wait. */
const atOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The Argon2id hash of a new password. Throws 400 for one that is shorter than 8 or longer than 1,024 characters. */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < 8 || password.length > 1024) {
    throw badRequest('A password has 8 to 1,024 characters', { parameters: ['password'] });
  }
  return inTurn(() => hash(password, cost));
}

let nobody: Promise<string> | undefined;

/** Whether the password fits the hash. Without a hash (an unknown login) it takes the same time and says no. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  if (password.length > 1024) return false;
  nobody ??= inTurn(() => hash('nobody has this password', cost));
  const against = stored ?? (await nobody);
  const fits = await inTurn(() => verify(against, password));
  return fits && stored != null;
}

import { type Answer, ask, type Sent } from '../client.js';
import type { Random } from '../random.js';

export interface Attack {
  url: string;
  token: string;
  /** Local address of the connection. */
  from: string;
  random: Random;
}

export const api = '/api/2.8/demo';
/** Path of the layers of the attacked map. */
export const own = `${api}/attack/layers/`;
/** The client closes a connection after this time. */
export const maxConnectionMs = 60_000;

export interface Attacker {
  /** Number of concurrent clients. */
  clients: number;
  act(attack: Attack): Promise<unknown>;
}

/** Sends a request of an attack. Throws without an answer in time. */
export const send = ({ url, token, from }: Attack, sent: Sent): Promise<Answer> =>
  ask(url, { token, localAddress: from, timeoutMs: maxConnectionMs, ...sent });

import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask, type Sent } from '../client.js';
import { type Random, randomOf } from '../random.js';
import { logins, nameOf, objectCount, password } from './town.js';

/** Limits of the pause between two requests of a user. */
const minPauseMs = 300;
const maxPauseMs = 1_300;

/** Results of the users' requests. */
export interface Record {
  /** Milliseconds of successful requests by kind. */
  times: Map<string, number[]>;
  /** Error messages with their counts. */
  errors: Map<string, number>;
}

export const emptyRecord = (): Record => ({ times: new Map(), errors: new Map() });

interface User {
  url: string;
  random: Random;
  localAddress: string;
  login: string;
  token: string;
}

interface Kind {
  weight: number;
  /** Whether the request is cheap, so that it must stay fast under load. */
  isCheap: boolean;
  /** Sends one request, or two that form a unit. Throws for a wrong response. */
  act(user: User): Promise<void>;
}

const api = '/api/2.8/demo';

/** The picture of each tile, which never changes: nobody edits the layer that is drawn. */
const pictures = new Map<string, Buffer>();

async function get(user: User, path: string): Promise<Answer> {
  return good(user, { method: 'GET', path });
}

async function good(user: User, sent: Sent): Promise<Answer> {
  const answer = await ask(user.url, { ...sent, localAddress: user.localAddress });
  if (answer.status >= 200 && answer.status < 300) return answer;
  const code = /"code":\s*"(\w+)"|<code>(\w+)/.exec(answer.text);
  throw new Error(`${answer.status} ${code?.[1] ?? code?.[2] ?? ''}`);
}

function demand(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`wrong answer: ${what}`);
}

async function signIn(user: User): Promise<void> {
  const body = { login: user.login, password };
  const { json } = await good(user, { method: 'POST', path: `${api}/login/`, body });
  demand(typeof json.token === 'string', 'no token');
  user.token = json.token;
}

export const kinds: { [name: string]: Kind } = {
  tile: {
    weight: 8,
    isCheap: true,
    async act(user) {
      // Tiles at common zoom levels: 2 to 3 degrees east, 48 to 48.5 north.
      const z = 7 + user.random.below(3);
      const x = Math.floor((2.05 + 0.9 * user.random.next() + 180) / (360 / 2 ** z));
      const y = 2 ** z - 1 - Math.floor((0.3446 + 0.0005 * user.random.next()) * 2 ** z);
      const path = `/tms/demo/town/?z=${z}&x=${x}&y=${y}`;
      const { bytes, type } = await get(user, path);
      demand(type === 'image/png' && bytes.readUInt32BE(16) === 256, 'no tile');
      if (!pictures.has(path)) pictures.set(path, bytes);
      demand(bytes.equals(pictures.get(path)!), 'another tile than before');
    },
  },
  list: {
    weight: 3,
    isCheap: true,
    async act(user) {
      const offset = user.random.below(1_000);
      const { json } = await get(
        user,
        `${api}/town/layers/places/objects/?fields=name,size&limit=50&offset=${offset}`,
      );
      demand(json.length === 50 && typeof json[0].fields.name === 'string', 'not 50 objects');
    },
  },
  object: {
    weight: 3,
    isCheap: true,
    async act(user) {
      const id = 1 + user.random.below(objectCount);
      const { json } = await get(user, `${api}/town/layers/places/objects/${id}/?returnGeom=1`);
      demand(
        json.id === id && json.fields.name === nameOf(id - 1) && json.geom.type === 'Point',
        'not the object',
      );
    },
  },
  tree: {
    weight: 2,
    isCheap: true,
    async act(user) {
      const { json } = await get(user, `${api}/town/layers/`);
      demand(json.length === 2, 'not the layers');
    },
  },
  search: {
    weight: 1,
    isCheap: false,
    async act(user) {
      const { json } = await get(user, `${api}/town/search/?phrase=places&lang=en`);
      demand(json[0]?.code === 'places', 'nothing was found');
    },
  },
  'sign-in': { weight: 0.3, isCheap: false, act: signIn },
  write: {
    weight: 1,
    isCheap: false,
    async act(user) {
      if (!user.token) await signIn(user);
      const text = `note ${user.random.below(1e6)}`;
      const path = `${api}/town/layers/notes/objects/`;
      const made = await good(user, { method: 'POST', path, token: user.token, body: { fields: { text } } });
      demand(made.json.fields.text === text, 'not what was written');
      const { json } = await get(user, `${path}${made.json.id}/`);
      demand(json.fields.text === text, 'what was written is not there');
    },
  },
};

const total = Object.values(kinds).reduce((sum, { weight }) => sum + weight, 0);

function kindOf(random: Random): string {
  let left = random.next() * total;
  for (const [name, { weight }] of Object.entries(kinds)) {
    left -= weight;
    if (left <= 0) return name;
  }
  return 'tile';
}

/** Runs ordinary users for some time, each with its own local address. Returns their results. */
export async function lookAround(url: string, count: number, ms: number, seed: number): Promise<Record> {
  const record = emptyRecord();
  const end = performance.now() + ms;
  const users = Array.from(
    { length: count },
    (_, index): User => ({
      url,
      random: randomOf(seed * 1_000 + index),
      localAddress: `127.0.1.${1 + (index % 250)}`,
      login: logins[index % logins.length]!,
      token: '',
    }),
  );
  await Promise.all(users.map((user) => live(user, end, record)));
  return record;
}

async function live(user: User, end: number, { times, errors }: Record): Promise<void> {
  const { random } = user;
  await sleep(random.next() * maxPauseMs);
  while (performance.now() < end) {
    const kind = kindOf(random);
    const began = performance.now();
    try {
      await kinds[kind]!.act(user);
      const list = times.get(kind) ?? [];
      list.push(performance.now() - began);
      times.set(kind, list);
    } catch (error) {
      const text = `${kind}: ${(error as Error).message}`;
      errors.set(text, (errors.get(text) ?? 0) + 1);
    }
    await sleep(minPauseMs + random.next() * (maxPauseMs - minPauseMs));
  }
}

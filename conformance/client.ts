import { randomBytes } from 'node:crypto';

export interface Answer {
  status: number;
  type: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the rules examine answers of any form
  json: any;
}

export interface Target {
  url: string;
  project: string;
  login: string;
  password: string;
  token: string;
}

/** A code that is unique on the server. */
export const freshCode = (): string => `conf_${randomBytes(5).toString('hex')}`;

/** Sends the requests of one rule and records what it creates; `clean` removes it. */
export class Client {
  readonly #made: string[] = [];
  constructor(
    readonly target: Target,
    readonly signal: AbortSignal,
  ) {}

  /** A request below the project's path. `token` is the administrator's by default; `''` is the public user. */
  async send(method: string, path: string, body?: unknown, token = this.target.token): Promise<Answer> {
    return await send(this.target, { method, path, body, token, signal: this.signal });
  }

  /** The same, for fixtures: returns the parsed body and throws unless the status is 200. */
  async make(path: string, body: unknown): Promise<Answer['json']> {
    const answer = await this.send('POST', path, body);
    if (answer.status !== 200)
      throw new Error(`fixture ${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer.json;
  }

  /** Creates a map. Returns its path, `/code/`. The path is recorded before the request, so that nothing is left behind. */
  async map(): Promise<string> {
    const code = freshCode();
    this.#made.push(`/${code}/`);
    await this.make('/', { code });
    return `/${code}/`;
  }

  /**
   * Creates a map with a layer `a` that has a string column `title` and a number column `size`. Returns the path of the
   * layer.
   */
  async layer(): Promise<string> {
    const map = await this.map();
    await this.make(`${map}layers/`, { code: 'a' });
    const layer = `${map}layers/a/`;
    await this.make(`${layer}structure/`, { code: 'title', type: 'string' });
    await this.make(`${layer}structure/`, { code: 'size', type: 'number' });
    return layer;
  }

  /** Creates a user without public rights, with rights by path (`/rights/`, `/map/rights/`). Returns the token of a session. */
  async user(rights: Record<string, string> = {}): Promise<string> {
    const login = freshCode();
    const password = `pass-${login}`;
    this.#made.push(`/users/${login}/`);
    await this.make('/users/', { login, password, publicAccess: false });
    for (const [path, right] of Object.entries(rights)) {
      const { status } = await this.send('PUT', path, { user: login, right });
      if (status !== 200) throw new Error(`fixture ${path}: ${status}`);
    }
    return (await this.make('/login/', { login, password })).token;
  }

  /** Removes everything that was created; throws if something remains. */
  async clean(): Promise<void> {
    for (const path of this.#made) {
      const { status } = await send(this.target, { method: 'DELETE', path, token: this.target.token });
      if (status !== 200 && status !== 404) throw new Error(`${path} could not be removed: ${status}`);
    }
  }
}

interface Sent {
  method: string;
  path: string;
  body?: unknown;
  token?: string;
  signal?: AbortSignal;
}

export async function send(target: Target, { method, path, body, token, signal }: Sent): Promise<Answer> {
  const response = await fetch(`${target.url}/api/2.8/${target.project}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text, json: type.includes('json') ? JSON.parse(text) : undefined };
}

import { type Answer, Client } from '../client.js';
import { equal } from '../rules.js';

/** An answer with details that JSON rules do not examine. */
export interface Raw extends Answer {
  headers: Headers;
  bytes: Buffer;
}
interface Sent {
  method?: string;
  /** An object is sent as JSON; texts, bytes and forms are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the administrator's token; `''` is the public user. */
  token?: string;
}

const isRaw = (body: unknown): body is NonNullable<RequestInit['body']> =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;

/** A request whose answer may have any media type. A path that begins with `//` starts at the server, others at the project. */
export async function raw(c: Client, path: string, sent: Sent = {}): Promise<Raw> {
  const { method = sent.body === undefined ? 'GET' : 'POST', body, token = c.target.token } = sent;
  const { url, project } = c.target;
  const isJson = body !== undefined && !isRaw(body);
  const response = await fetch(
    path.startsWith('//') ? url + path.slice(1) : `${url}/api/2.8/${project}${path}`,
    {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...sent.headers,
      },
      body: isJson ? JSON.stringify(body) : ((body as RequestInit['body']) ?? null),
      signal: c.signal,
    },
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const type = response.headers.get('content-type') ?? '';
  const json = type.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, bytes, text, type, json };
}

/** A tile of a map, `/code/`. */
export const tile = async (c: Client, map: string, query: string, headers = {}): Promise<Raw> =>
  await raw(c, `//tms/${c.target.project}${map}?${query}`, { headers });
export const sameBytes = (one: Raw, other: Raw): boolean => one.bytes.equals(other.bytes);

/** A form with a file in the field `file`. */
export function form(file: string | Uint8Array, name: string, fields: Record<string, string> = {}): FormData {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set('file', new Blob([new Uint8Array(Buffer.from(file))]), name);
  return body;
}

/** Width, height and colour type of a PNG from its IHDR (PNG specification, 11.2.2). */
export function png(bytes: Buffer): { width: number; height: number; color: number } {
  equal(bytes.subarray(1, 4).toString('latin1'), 'PNG', 'signature');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), color: bytes[25]! };
}

/** Width and height of a JPEG from its frame header (ISO 10918-1, B.2.2). */
export function jpeg(bytes: Buffer): { width: number; height: number } {
  equal(bytes.readUInt16BE(0), 0xffd8, 'signature');
  let at = 2;
  while (![0xc0, 0xc1, 0xc2].includes(bytes[at + 1]!)) at += 2 + bytes.readUInt16BE(at + 2);
  return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
}

export const point = (x: number, y: number): object => ({ type: 'Point', coordinates: [x, y] });

/** A square from `[x, y]` with the side `size`. */
export const square = (x: number, y: number, size: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ],
});

/** Creates a layer with the objects `a`, `b`, `c`: sizes 0, 1, 2 at (0, 0), (20, 10), (40, 20). Returns the path of the layer. */
export async function abc(c: Client): Promise<string> {
  const layer = await c.layer();
  for (const [size, title] of ['a', 'b', 'c'].entries())
    await c.make(`${layer}objects/`, { fields: { title, size }, geom: point(20 * size, 10 * size) });
  return layer;
}

/** Creates a layer `a` with these columns, code → type or complete body. Returns its path. */
export async function layerWith(c: Client, columns: Record<string, string | object>): Promise<string> {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a' });
  for (const [code, column] of Object.entries(columns))
    await c.make(
      `${map}layers/a/structure/`,
      typeof column === 'string' ? { code, type: column } : { code, ...column },
    );
  return `${map}layers/a/`;
}

/** The values of one column of a list of objects. */
export const valuesOf = (answer: Answer, column = 'title'): unknown =>
  Array.isArray(answer.json) ? answer.json.map(({ fields }) => fields[column]) : answer.text.slice(0, 200);

/** Whether two numbers differ by less than `by`, for transformed coordinates. */
export function near(actual: unknown, expected: number, what: string, by = 1e-6): void {
  const isNear = typeof actual === 'number' && Math.abs(actual - expected) < by;
  equal(isNear ? expected : actual, expected, what);
}

/**
 * Shared resources of rules that only read. The first of the rules that run simultaneously creates them, the last
 * removes them. A separate client creates them, so that the end of one rule does not remove them.
 */
export function shared<T>(make: (c: Client) => Promise<T>) {
  let owner: Client | undefined;
  let made: Promise<T> | undefined;
  let users = 0;
  return (run: (c: Client, made: T) => Promise<void>) =>
    async (c: Client): Promise<void> => {
      users += 1;
      owner ??= new Client(c.target, AbortSignal.timeout(180_000));
      made ??= make(owner);
      try {
        await run(c, await made);
      } finally {
        users -= 1;
        const last = users === 0 ? owner : undefined;
        if (last) owner = made = undefined;
        await last?.clean();
      }
    };
}
export const reading = shared(abc);

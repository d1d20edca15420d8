import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as encrypted } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CommandFailure, ServerRefusal } from '../failure.js';
import type { Address } from './address.js';
import { tunnelThrough } from './proxy.js';
import { unreachable } from './unreachable.js';

export interface Sending {
  query?: Record<string, string | undefined>;
  /** The body as JSON. */
  json?: unknown;
  /** The body as bytes. */
  bytes?: Readable;
  /** Length of `bytes`, when it is known. */
  size?: number | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * A client of the interface 2.8 in one project. Paths begin with the name of a function or map:
 * `/parks/layers/`.
 */
export interface Client {
  readonly address: Address;
  readonly project: string;
  /** Whether it sends a token. */
  readonly hasToken: boolean;
  /** Timeout after the last data of the service, ms. */
  readonly silenceMs: number;
  /**
   * The parsed response. Throws `Refusal` for an error of the service, `CommandFailure` when it cannot be
   * reached.
   */
  call<T>(method: string, path: string, sending?: Sending): Promise<T>;
  /** The response as a stream. The caller reads it to its end or destroys it. */
  open(method: string, path: string, sending?: Sending): Promise<IncomingMessage>;
}

export interface ClientOptions {
  address: Address;
  project: string;
  token: string | undefined;
  /** Longest silence of the service, ms. */
  silenceMs: number;
}

/** The path of a function, from encoded parts. */
export const pathOf = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}/`;

export function createClient({ address, project, token, silenceMs }: ClientOptions): Client {
  const open: Client['open'] = async (method, path, sending = {}) => {
    const { query = {}, json, bytes, size, headers, signal } = sending;
    const given = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
    const search = given.length ? `?${new URLSearchParams(given)}` : '';
    // An empty path is that of the interface above the projects.
    const scope = path === '' ? '/' : `/${encodeURIComponent(project)}${path}`;
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const options = {
      method,
      path: `${address.basePath}/api/2.8${scope}${search}`,
      headers: {
        accept: 'application/json',
        host: address.url.host,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {}),
        ...(bytes && size !== undefined ? { 'content-length': String(size) } : {}),
        ...headers,
      },
      ...(signal ? { signal } : {}),
    };
    const request = await begin(address, options);
    const answer = answerTo(request);
    let started: IncomingMessage | undefined;
    request.once('response', (response) => (started = response));
    // A response that has started fails with 'aborted' when only its request is destroyed.
    request.setTimeout(silenceMs, () =>
      (started ?? request).destroy(new CommandFailure(silent(address, silenceMs))),
    );
    try {
      if (bytes) await sendAll(bytes, request, answer);
      else request.end(body);
      const response = await answer;
      if (response.statusCode! >= 200 && response.statusCode! < 300) return response;
      throw await refusalOf(response, address);
    } catch (error) {
      request.destroy();
      if (signal?.aborted) throw signal.reason;
      throw error instanceof CommandFailure ? error : unreachable(error as Error, address);
    }
  };
  const call: Client['call'] = async (method, path, sending) => {
    const response = await open(method, path, sending);
    const body = await text(response).catch((error) => Promise.reject(unreachable(error, address)));
    try {
      return JSON.parse(body);
    } catch {
      throw new CommandFailure(strange(address), 'Check the address (--url or CARTULARY_URL).');
    }
  };
  return { address, project, hasToken: Boolean(token), silenceMs, call, open };
}

const silent = ({ shown }: Address, ms: number): string =>
  `The service at ${shown} has not answered for ${Math.round(ms / 1000)} s`;
const strange = ({ shown }: Address): string => `What answers at ${shown} is no Cartulary service`;

type RequestOptions = { method: string; path: string; headers: Record<string, string>; signal?: AbortSignal };

async function begin(address: Address, options: RequestOptions): Promise<ClientRequest> {
  const { url, socketPath } = address;
  if (socketPath !== undefined) return plain({ ...options, socketPath });
  const own = { ...options, host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || undefined };
  const proxied = await tunnelThrough(url, options.path).catch((error) =>
    Promise.reject(error instanceof CommandFailure ? error : unreachable(error, address)),
  );
  return (url.protocol === 'https:' ? encrypted : plain)({
    ...own,
    ...proxied.options,
    headers: { ...options.headers, ...proxied.headers },
  } as object);
}

const answerTo = (request: ClientRequest): Promise<IncomingMessage> => {
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  // It is awaited after the body is sent.
  answer.catch(() => {});
  return answer;
};

/** Sends a body. The service may refuse it early; then its response counts, not the broken connection. */
async function sendAll(
  bytes: Readable,
  request: ClientRequest,
  answer: Promise<IncomingMessage>,
): Promise<void> {
  const sent = pipeline(bytes, request);
  sent.catch(() => {});
  try {
    await Promise.race([sent, answer]);
  } catch (error) {
    // A failure to read the input is not a failure of the service.
    if (bytes.errored instanceof CommandFailure) throw bytes.errored;
    await Promise.race([answer, new Promise((_resolve, reject) => setTimeout(reject, 1_000, error))]);
  }
}

interface ErrorObject {
  code?: string;
  message?: string;
  data?: Record<string, unknown>;
}

/** Longest error response that is parsed, bytes. */
const maxErrorBytes = 1024 * 1024;

async function refusalOf(response: IncomingMessage, address: Address): Promise<CommandFailure> {
  const { statusCode: status = 0, headers } = response;
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) if (body.length < maxErrorBytes) body += chunk;
  let error: ErrorObject | undefined;
  try {
    error = JSON.parse(body);
  } catch {
    // A proxy may answer with HTML.
  }
  if (typeof error?.code === 'string')
    return new ServerRefusal(status, error.code, error.message ?? error.code, error.data);
  if (status >= 300 && status < 400)
    return new CommandFailure(
      `${address.shown} sends on to ${headers.location ?? 'another address'}`,
      'Give that address with --url.',
    );
  if (status === 407) return new CommandFailure('The proxy refuses: it wants a user and a password');
  return new CommandFailure(
    `${status >= 502 && status <= 504 ? `The proxy before ${address.shown} does not reach the service` : strange(address)} (status ${status})`,
    'Check the address (--url or CARTULARY_URL), and that the server runs.',
  );
}

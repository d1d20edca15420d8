import createFetchClient, {
  type ClientPathsWithMethod,
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer,
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { paths } from './generated/schema.js';
import { type SendOptions, sendRequest } from './sending.js';

export interface ServiceOptions {
  /** Address of the service: `http://127.0.0.1:8080`. */
  url: string;
  /** Code of the project that the calls are for. */
  project?: string;
  /** Token of a session; `signIn` sets it. */
  token?: string;
  /** In place of the `fetch` of the platform. */
  fetch?: (request: Request) => Promise<Response>;
  /** Called for each request that is refused (401, 403). */
  onRefusal?: (status: number) => void;
  /** As `onBusy` of a call, for each of them. */
  onBusy?: (busy: boolean) => void;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Paths<M extends Method> = ClientPathsWithMethod<FetchClient<paths>, M>;
type Init<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M> & CallOptions;

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called with true before the call is repeated because the service is busy, with false after it succeeds or fails. */
  onBusy?: ((busy: boolean) => void) | undefined;
  /** Called with the response before its body is read. */
  onResponse?: ((response: Response) => void) | undefined;
  /** Whether the call may be repeated: it changes nothing. Calls of GET always may. */
  isRead?: boolean;
}

// A tuple, so that calls without required values need no second argument.
type Rest<I> = object extends I ? [init?: I] : [init: I];

/** What a call answers. */
export type AnswerOf<P extends keyof paths, M extends Method, I = object> = M extends keyof paths[P]
  ? paths[P][M] extends Record<string | number, unknown>
    ? Extract<FetchResponse<paths[P][M], I, 'application/json'>, { data: unknown }>['data']
    : never
  : never;

/**
 * Typed calls of every function of the service, by the paths of its OpenAPI document. The project of the options
 * stands for `{project}`. Every call throws `ClientError`, and the reason of its signal when that is aborted.
 */
export class ServiceCalls {
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  readonly project: string;
  /** Token of the session; empty without one. */
  token: string;
  /** Value of `X-CSRF-Token`, which a session in a cookie needs for calls that write. */
  csrf = '';
  readonly #options: ServiceOptions;
  readonly #calls: FetchClient<paths>;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.url = options.url.replace(/\/+$/, '');
    this.project = options.project ?? '';
    this.token = options.token ?? '';
    this.#calls = createFetchClient<paths>({ baseUrl: this.url });
  }

  get<P extends Paths<'get'>, I extends Init<P, 'get'>>(
    path: P,
    ...[init]: Rest<I>
  ): Promise<AnswerOf<P, 'get', I>> {
    return this.#call('get', path, init);
  }

  post<P extends Paths<'post'>, I extends Init<P, 'post'>>(
    path: P,
    ...[init]: Rest<I>
  ): Promise<AnswerOf<P, 'post', I>> {
    return this.#call('post', path, init);
  }

  put<P extends Paths<'put'>, I extends Init<P, 'put'>>(
    path: P,
    ...[init]: Rest<I>
  ): Promise<AnswerOf<P, 'put', I>> {
    return this.#call('put', path, init);
  }

  patch<P extends Paths<'patch'>, I extends Init<P, 'patch'>>(
    path: P,
    ...[init]: Rest<I>
  ): Promise<AnswerOf<P, 'patch', I>> {
    return this.#call('patch', path, init);
  }

  delete<P extends Paths<'delete'>, I extends Init<P, 'delete'>>(
    path: P,
    ...[init]: Rest<I>
  ): Promise<AnswerOf<P, 'delete', I>> {
    return this.#call('delete', path, init);
  }

  /** The address of a function that is read, for images, links and map sources. The token is not part of it. */
  address<P extends Paths<'get'>>(path: P, params: AddressParams<P>): string {
    return createFinalURL(path as string, {
      baseUrl: this.url,
      params: this.#inProject(params as Params),
      querySerializer: createQuerySerializer(),
      pathSerializer: defaultPathSerializer,
    });
  }

  /** The answer at an address of the service, such as that of the next page of a list. */
  async read<T>(
    address: string,
    options: CallOptions & { method?: string; json?: unknown } = {},
  ): Promise<T> {
    const { method = 'GET', json, signal, onBusy, onResponse, isRead = method === 'GET' } = options;
    const response = await this.open(
      address,
      {
        method,
        ...(json === undefined
          ? {}
          : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
      },
      { signal, onBusy, isRead },
    );
    onResponse?.(response);
    return (await response.json()) as T;
  }

  /** The response at an address of the service. */
  open(address: string, init: RequestInit, options: SendOptions): Promise<Response> {
    const url = new URL(address, `${this.url}/`).href;
    const { signal = null } = options;
    return this.#send(new Request(url, { ...init, signal }), options);
  }

  /**
   * Headers that say who calls, and that errors are wanted as JSON. An address of another host gets none of them: a
   * server must not make the client give away its token.
   */
  headersFor(address: string, method: string): Record<string, string> {
    // Only who accepts JSON alone gets every error as JSON.
    const headers = { accept: 'application/json' };
    if (new URL(address).origin !== new URL(this.url).origin) return headers;
    return {
      ...headers,
      ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      ...(this.csrf && !/^(GET|HEAD)$/.test(method) ? { 'x-csrf-token': this.csrf } : {}),
    };
  }

  /** Sends with `attempt`, repeats what may be repeated, and reports refusals. */
  async sendWith(attempt: () => Promise<Response>, options: SendOptions): Promise<Response> {
    try {
      const onBusy = (busy: boolean): void => {
        options.onBusy?.(busy);
        this.#options.onBusy?.(busy);
      };
      return await sendRequest(attempt, { ...options, onBusy });
    } catch (error) {
      const { status } = error as { status?: number };
      if (status === 401 || status === 403) this.#options.onRefusal?.(status);
      throw error;
    }
  }

  #inProject(params: Params = {}): Params {
    return { ...params, path: { project: this.project, ...params.path } };
  }

  #send(request: Request, options: SendOptions): Promise<Response> {
    const headers = this.headersFor(request.url, request.method);
    for (const [name, value] of Object.entries(headers))
      if (!request.headers.has(name)) request.headers.set(name, value);
    const { fetch = globalThis.fetch } = this.#options;
    // A request is used up when it is sent.
    return this.sendWith(() => fetch(options.isRead ? request.clone() : request), options);
  }

  // The methods above have checked the types; those of openapi-fetch cannot be followed through a variable method.
  async #call<T>(method: Method, path: string, init: unknown): Promise<T> {
    const {
      onBusy,
      onResponse,
      isRead = method === 'get',
      params,
      ...rest
    } = (init ?? {}) as CallOptions & { params?: Params };
    const request = this.#calls.request as unknown as (
      method: string,
      path: string,
      init: object,
    ) => Promise<{ data: T }>;
    const send = async (sent: Request): Promise<Response> => {
      const response = await this.#send(sent, { signal: rest.signal, isRead, onBusy });
      onResponse?.(response);
      return response;
    };
    return (await request(method, path, { ...rest, params: this.#inProject(params), fetch: send })).data;
  }
}

interface Params {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

type ParamsOf<P extends Paths<'get'>> = paths[P] extends {
  get: { parameters: infer T extends { path?: unknown; query?: unknown } };
}
  ? T
  : never;

/** Values of an address. */
export type AddressParams<P extends Paths<'get'>> = Pick<ParamsOf<P>, 'path' | 'query'>;

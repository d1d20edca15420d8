import type { ErrorStatuses } from './generated/catalogue.js';

/**
 * The codes of errors: those of the service's catalogue, `unreachable` where no answer came, `unexpected` where
 * something else than the service answered, such as a proxy, and `cancelled` where the result of a cancelled job is
 * awaited.
 */
export type ClientErrorCode = keyof ErrorStatuses | 'unreachable' | 'unexpected' | 'cancelled';

/** A request that failed. */
export class ClientError<C extends ClientErrorCode = ClientErrorCode> extends Error {
  readonly code: C;
  /** Of the response; 0 where none came. */
  readonly status: number;
  /** What is wrong, by name: `{ required: ['code'] }`, `{ columns: ['pop'] }`. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined;

  constructor(code: C, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ClientError';
    this.code = code;
    this.status = details.status ?? 0;
    this.data = details.data ?? {};
    this.retryAfter = details.retryAfter;
  }
}

interface ErrorDetails {
  status?: number;
  data?: Record<string, unknown> | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Every failed request, told apart by `code`. */
export type AnyClientError = { [C in ClientErrorCode]: ClientError<C> }[ClientErrorCode];

/** Whether a caught value is an error of a request, which narrows its type to the union. */
export const isClientError = (error: unknown): error is AnyClientError => error instanceof ClientError;

/** The error object of a response or of a job. */
export interface ErrorObject {
  code?: unknown;
  message?: unknown;
  data?: unknown;
}

/** The error that an error object describes. */
export function errorFrom(object: ErrorObject, details: ErrorDetails = {}): ClientError {
  const { code, message, data } = object;
  if (typeof code !== 'string')
    return new ClientError(
      'unexpected',
      `This is no answer of the service (status ${details.status})`,
      details,
    );
  return new ClientError(code as ClientErrorCode, typeof message === 'string' ? message : code, {
    ...details,
    data: typeof data === 'object' && data ? (data as Record<string, unknown>) : {},
  });
}

/** The error of a response without success. */
export async function errorOf(response: Response): Promise<ClientError> {
  const body: unknown = await response.json().catch(() => undefined);
  return errorFrom(typeof body === 'object' && body ? body : {}, {
    status: response.status,
    retryAfter: secondsOf(response.headers.get('retry-after')),
  });
}

export const unreachableError = (cause: unknown): ClientError =>
  new ClientError('unreachable', 'The service cannot be reached', { cause });

function secondsOf(text: string | null): number | undefined {
  const seconds = Number(text);
  return text && Number.isFinite(seconds) ? seconds : undefined;
}

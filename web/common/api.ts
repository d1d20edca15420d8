/** A failure of a request: the status of the answer (0 when none came) and the service's code. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** A JSON body: the request is a POST then. */
  body?: unknown;
  /** Told when the service is busy and the request will be sent again, and (false) when it got through. */
  onBusy?: ((busy: boolean) => void) | undefined;
}

const mostTries = 6;

/** Seconds to wait before the try `attempt` (from 0): what the service asks for, else 1, 2, 4 … up to 8, spread a little. */
function patience(attempt: number, retryAfter: string | null): number {
  const asked = Number(retryAfter);
  if (retryAfter && Number.isFinite(asked)) return Math.min(Math.max(asked, 0.5), 30);
  return Math.min(2 ** attempt, 8) * (0.75 + Math.random() / 2);
}

const wait = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/**
 * `fetch` that is patient with a service that is busy (429, 503) or cannot be reached: tries again up to six
 * times. Throws `ApiError` for every other answer that is no success.
 */
export async function patientFetch(
  url: string,
  init: RequestInit,
  onBusy?: (busy: boolean) => void,
): Promise<Response> {
  const signal = init.signal ?? undefined;
  let waited = false;
  try {
    for (let attempt = 0; ; attempt++) {
      const response = await fetch(url, init).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        return undefined;
      });
      if (response?.ok) return response;
      const isTransient = !response || response.status === 429 || response.status === 503;
      if (!isTransient || attempt + 1 === mostTries) throw await errorOf(response);
      waited = true;
      onBusy?.(true);
      await wait(patience(attempt, response?.headers.get('retry-after') ?? null), signal);
    }
  } finally {
    if (waited) onBusy?.(false);
  }
}

async function errorOf(response: Response | undefined): Promise<ApiError> {
  if (!response) return new ApiError(0, 'unreachable', 'The service cannot be reached');
  const body: unknown = await response.json().catch(() => ({}));
  const { code, message } = body as { code?: unknown; message?: unknown };
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : '',
    typeof message === 'string' ? message : response.statusText,
  );
}

/** Calls a function of the service: the JSON that it answers. */
export async function call<T>(url: string, { signal, body, onBusy }: CallOptions = {}): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const init: RequestInit = { headers, signal: signal ?? null };
  if (body !== undefined) {
    headers['content-type'] = 'application/json';
    init.method = 'POST';
    init.body = JSON.stringify(body);
  }
  const response = await patientFetch(url, init, onBusy);
  return (await response.json()) as T;
}

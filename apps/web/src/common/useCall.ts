import { useEffect, useState } from 'react';
import { call, type RequestOptions } from './api.js';

export interface CallState<T> {
  /** The last response; kept while a newer request runs. */
  data: T | undefined;
  /** The address that `data` comes from. */
  answered: string | null;
  error: unknown;
  /** The service is busy and the request will be repeated. */
  busy: boolean;
  loading: boolean;
  /** Headers of the last response. */
  headers: Headers | undefined;
  retry: () => void;
}

/** Requests `url` when it changes and when `retry` is called; null sends no request. */
export function useCall<T>(url: string | null): CallState<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<CallState<T>, 'retry'>>({
    data: undefined,
    answered: null,
    error: undefined,
    busy: false,
    loading: url !== null,
    headers: undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the request
  useEffect(() => {
    if (url === null) return;
    const controller = new AbortController();
    let headers: Headers | undefined;
    const options: RequestOptions = {
      onResponse: (response) => {
        headers = response.headers;
      },
      signal: controller.signal,
      onBusy: (busy) => !controller.signal.aborted && setState((before) => ({ ...before, busy })),
    };
    setState((before) => ({ ...before, error: undefined, loading: true }));
    call<T>(url, options).then(
      (data) => setState({ data, answered: url, error: undefined, busy: false, loading: false, headers }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...before, error, busy: false, loading: false }));
      },
    );
    return () => controller.abort();
  }, [url, attempt]);
  return { ...state, retry: () => setAttempt((before) => before + 1) };
}

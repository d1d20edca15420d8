import { useEffect, useState } from 'react';
import { type CallOptions, call } from './api.js';

export interface CallState<T> {
  /** The last answer; kept while a newer one is on its way. */
  data: T | undefined;
  error: unknown;
  /** The service is busy and the request is sent again. */
  busy: boolean;
  loading: boolean;
  retry: () => void;
}

/** The answer at `url`, asked again when the address changes or `retry` is called; null asks nothing. */
export function useCall<T>(url: string | null): CallState<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<Omit<CallState<T>, 'retry'>>({
    data: undefined,
    error: undefined,
    busy: false,
    loading: url !== null,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    if (url === null) return;
    const controller = new AbortController();
    const options: CallOptions = {
      signal: controller.signal,
      onBusy: (busy) => !controller.signal.aborted && setState((before) => ({ ...before, busy })),
    };
    setState((before) => ({ ...before, error: undefined, loading: true }));
    call<T>(url, options).then(
      (data) => setState({ data, error: undefined, busy: false, loading: false }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...before, error, busy: false, loading: false }));
      },
    );
    return () => controller.abort();
  }, [url, turn]);
  return { ...state, retry: () => setTurn((before) => before + 1) };
}

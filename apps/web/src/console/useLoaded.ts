import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** The last answer; kept while a newer one is read. */
  value: T | undefined;
  error: unknown;
  reload: () => void;
}

interface LoadedState<T> {
  key: string;
  value?: T;
  error?: unknown;
}

/** Reads a value when `key` changes, and when it is told to. An answer of another key is forgotten. */
export function useLoaded<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<LoadedState<T>>({ key });
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt reads again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    latest.current(signal).then(
      (value) => !signal.aborted && setState({ key, value }),
      (error: unknown) => !signal.aborted && setState((before) => ({ ...kept(before, key), error })),
    );
    return () => controller.abort();
  }, [key, attempt]);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  const { value, error } = kept(state, key);
  return { value, error, reload };
}

/** What is known of a key. */
const kept = <T>(state: LoadedState<T>, key: string): LoadedState<T> => (state.key === key ? state : { key });

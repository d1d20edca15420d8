import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  /** The last answer; kept while a newer one is read. */
  value: T | undefined;
  error: unknown;
  /** Reads again. Resolves when what is shown is what was read. */
  reload: () => Promise<void>;
}

interface LoadedState<T> {
  key: string;
  value?: T;
  error?: unknown;
}

/**
 * Reads a value when `key` or `version` changes, and when it is told to. An answer of another key is forgotten; that of another
 * version stays until the new one is there.
 */
export function useLoaded<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  version: number | string = 0,
): Loaded<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<LoadedState<T>>({ key });
  const latest = useRef(read);
  latest.current = read;
  const waiting = useRef<(() => void)[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt or version reads again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (change: (before: LoadedState<T>) => LoadedState<T>): void => {
      if (signal.aborted) return;
      setState(change);
      for (const resolve of waiting.current.splice(0)) resolve();
    };
    latest.current(signal).then(
      (value) => settle(() => ({ key, value })),
      (error: unknown) => settle((before) => ({ ...kept(before, key), error })),
    );
    return () => controller.abort();
  }, [key, attempt, version]);
  const reload = useCallback(
    () =>
      new Promise<void>((resolve) => {
        waiting.current.push(resolve);
        setAttempt((before) => before + 1);
      }),
    [],
  );
  const { value, error } = kept(state, key);
  return { value, error, reload };
}

/** What is known of a key. */
const kept = <T>(state: LoadedState<T>, key: string): LoadedState<T> => (state.key === key ? state : { key });

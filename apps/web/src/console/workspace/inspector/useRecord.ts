import type { CallOptions } from '@cartulary/client';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Something that is stored, with the version that it was read in. */
export interface StoredRecord<T> {
  value: T;
  etag: string;
}

interface RecordState<T> {
  record: StoredRecord<T> | null;
  error: unknown;
  /** Takes what a write has answered. */
  set: (record: StoredRecord<T>) => void;
  /** Counts the readings that the user asked for. */
  attempt: number;
  /** Reads again. */
  retry: () => void;
}

/** Reads a record when `key` changes. */
export function useRecord<T>(key: string, read: (options: CallOptions) => Promise<T>): RecordState<T> {
  const [state, setState] = useState<{ record: StoredRecord<T> | null; error: unknown }>({
    record: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is read, a new attempt reads again
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let etag = '';
    const onResponse = ({ headers }: Response): void => {
      etag = headers.get('etag') ?? '';
    };
    latest.current({ signal, onResponse }).then(
      (value) => !signal.aborted && setState({ record: { value, etag }, error: null }),
      (error: unknown) => !signal.aborted && setState(({ record }) => ({ record, error })),
    );
    return () => controller.abort();
  }, [key, attempt]);
  const set = useCallback((record: StoredRecord<T>) => setState({ record, error: null }), []);
  const retry = useCallback(() => {
    setState(({ record }) => ({ record, error: null }));
    setAttempt((before) => before + 1);
  }, []);
  return { ...state, set, attempt, retry };
}

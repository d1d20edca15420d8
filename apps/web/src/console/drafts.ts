import { useCallback, useMemo, useState } from 'react';
import { useSessions } from '../common/sign-in/session.js';

/** What a user has entered and not stored: kept in the browser, it outlives the page. */
export class Draft<T> {
  readonly #key: string;

  /** `place`: what distinguishes it from others of its kind, such as project, user, map and layer. */
  constructor(kind: string, place: readonly string[]) {
    this.#key = `cartulary-${kind} ${JSON.stringify(place)}`;
  }

  /** null: there is none. */
  read(): T | null {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? 'null') as T | null;
    } catch {
      return null; // the browser may deny access to storage
    }
  }

  write(value: T | null): void {
    try {
      if (value === null) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // without storage the draft lasts as long as the page
    }
  }
}

/** A draft of the user of a project. */
export function useDraft<T>(kind: string, project: string, ...place: readonly string[]): Draft<T> {
  const { sessions, ended } = useSessions();
  const login = sessions.find((one) => one.project === project)?.login ?? ended?.login ?? '';
  const of = JSON.stringify([project, login, ...place]);
  return useMemo(() => new Draft<T>(kind, JSON.parse(of) as string[]), [kind, of]);
}

/** The value of a draft, and a function that changes it. */
export function useKept<T>(draft: Draft<T>): [T | null, (value: T | null) => void] {
  const [state, setState] = useState(() => ({ draft, value: draft.read() }));
  const known = state.draft === draft ? state : { draft, value: draft.read() };
  const set = useCallback(
    (value: T | null): void => {
      draft.write(value);
      setState({ draft, value });
    },
    [draft],
  );
  return [known.value, set];
}

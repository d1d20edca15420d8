import { useDebouncedValue } from '@mantine/hooks';
import { type CallState, useCall } from '../common/useCall.js';
import { type SearchResult, searchAddress } from './search.js';
import type { MapAddress } from './types.js';

/** Delay between the last keystroke and the request. */
const typingDelayMs = 250;

interface Search {
  /** undefined: no response yet. */
  results: readonly SearchResult[] | undefined;
  state: CallState<SearchResult[]>;
}

/** Searches for the phrase after a pause in typing. A new phrase aborts the request of an older one and hides its results. */
export function useSearch({
  map,
  language,
  phrase,
}: {
  map: MapAddress;
  language: string;
  phrase: string;
}): Search {
  const wanted = phrase.trim().replace(/\s+/g, ' ');
  const [debounced] = useDebouncedValue(wanted, typingDelayMs);
  const isSettled = wanted !== '' && wanted === debounced;
  const url = isSettled ? searchAddress(map, wanted, language) : null;
  const state = useCall<SearchResult[]>(url);
  const isAnswered = url !== null && state.answered === url;
  const error = isSettled && !state.loading ? state.error : undefined;
  return {
    results: isAnswered ? state.data : undefined,
    state: { ...state, error, loading: wanted !== '' && !isAnswered && !error },
  };
}

import { ClientError } from '@cartulary/client';
import { Combobox, Loader, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import type { Texts } from '../../common/texts/texts.js';
import type { CallState } from '../../common/useCall.js';
import { truncatedHeader } from '../map/truncations.js';
import { iconAddress } from '../objects.js';
import type { SearchResult } from '../search.js';
import { labelsOf, type ResultLabel } from '../searchLabels.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress } from '../types.js';
import classes from './SearchField.module.css';

interface SearchResultsProps {
  map: MapAddress;
  items: readonly TreeItem[];
  /** Language of the data. */
  language: string;
  /** undefined: no response yet. */
  results: readonly SearchResult[] | undefined;
}

/** The options of the search field. */
export function SearchResults({ results, ...context }: SearchResultsProps): ReactNode {
  const { ui, texts } = useLanguage();
  const labels = labelsOf(results ?? [], { items: context.items, language: ui, texts });
  return (
    <Combobox.Options aria-label={texts.search} className={classes.options}>
      {results?.map((result, i) => (
        <Result key={keyOf(result)} index={i} result={result} label={labels[i]!} {...context} />
      ))}
    </Combobox.Options>
  );
}

const keyOf = (result: SearchResult): string =>
  result.type === 'layer' ? result.code : `${result.layer}/${result.svc_id}`;

interface ResultProps {
  index: number;
  result: SearchResult;
  label: ResultLabel;
  map: MapAddress;
  items: readonly TreeItem[];
  language: string;
}

function Result({ index, result, label, map, items, language }: ResultProps): ReactNode {
  const code = result.type === 'layer' ? result.code : result.layer;
  const item = items.find((one) => one.type !== 'folder' && one.code === code);
  const icon = item && iconAddress(map, item);
  return (
    <Combobox.Option value={String(index)} className={classes.option}>
      <span className={classes.icon}>{icon && <img src={icon} alt="" width={22} height={22} />}</span>
      <span className={classes.words}>
        <span className={classes.title} lang={language}>
          {label.title}
        </span>
        <span className={classes.detail}>{label.details.join(' · ')}</span>
      </span>
    </Combobox.Option>
  );
}

interface SearchNoteProps {
  state: CallState<SearchResult[]>;
  results: readonly SearchResult[] | undefined;
  phrase: string;
  texts: Texts;
}

/** The state of the search; the number of results is for screen readers only. */
export function SearchNote({ state, results, phrase, texts }: SearchNoteProps): ReactNode {
  const { loading, busy, error, retry } = state;
  if (error) {
    const isUnreachable = error instanceof ClientError && error.status === 0;
    return (
      <div className={classes.note} role="alert">
        {isUnreachable ? texts.unreachable : texts.searchFailed}
        <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={retry}>
          {texts.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <div role="status">
      {loading && (busy || !results?.length) && (
        <p className={classes.note}>
          <Loader size="xs" /> {busy ? texts.busy : texts.searchBusy}
        </p>
      )}
      {!loading && results?.length === 0 && <p className={classes.note}>{texts.searchNothing(phrase)}</p>}
      {!loading && results && state.headers?.has(truncatedHeader) && (
        <p className={classes.note}>{texts.searchedPart}</p>
      )}
      {!loading && results && results.length > 0 && (
        <VisuallyHidden>{texts.results(results.length)}</VisuallyHidden>
      )}
    </div>
  );
}

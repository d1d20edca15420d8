import { ActionIcon, Combobox, Loader, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../common/api.js';
import { IconSearch, IconX } from '../common/icons.js';
import { useTexts } from '../common/language.js';
import type { Texts } from '../common/texts.js';
import { type CallState, useCall } from '../common/useCall.js';
import { iconAddress, type MapAddress } from './objects.js';
import classes from './SearchField.module.css';
import { type SearchResult, searchAddress } from './search.js';
import type { TreeItem } from './tree.js';

interface SearchFieldProps {
  map: MapAddress;
  items: readonly TreeItem[];
  /** Of the data. */
  language: string;
  onChoose: (result: SearchResult) => void;
}

/** Milliseconds of rest after a letter before the service is asked. */
const rest = 250;

/** Searches the layers and objects of the map while the reader types. */
export function SearchField({ map, items, language, onChoose }: SearchFieldProps): ReactNode {
  const texts = useTexts();
  const [phrase, setPhrase] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { results, state } = useSearch({ map, language, phrase });
  // The first result is the one that Enter takes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other results have come
  useEffect(() => {
    if (results?.length) combobox.selectFirstOption();
    else combobox.resetSelectedOption();
  }, [results]);

  const type = (text: string): void => {
    setPhrase(text);
    if (text.trim()) combobox.openDropdown();
    else combobox.closeDropdown();
  };
  const clear = (): void => {
    type('');
    input.current?.focus();
  };
  const onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (!phrase && !combobox.dropdownOpened)) return;
    event.preventDefault(); // the panels stay as they are
    if (combobox.dropdownOpened) combobox.closeDropdown();
    else type('');
  };
  const choose = (option: string): void => {
    const result = results?.[Number(option)];
    if (!result) return;
    combobox.closeDropdown();
    input.current?.blur(); // on a phone the keyboard goes
    onChoose(result);
  };

  return (
    <search>
      <Combobox store={combobox} onOptionSubmit={choose} shadow="md" radius="md">
        <Combobox.Target>
          <TextInput
            ref={input}
            role="combobox"
            aria-autocomplete="list"
            aria-label={texts.search}
            placeholder={texts.search}
            value={phrase}
            maxLength={200}
            enterKeyHint="search"
            autoComplete="off"
            spellCheck={false}
            radius="md"
            classNames={{ input: classes.input }}
            leftSectionPointerEvents="none"
            leftSection={<IconSearch size={18} stroke={1.8} aria-hidden />}
            rightSectionWidth={44}
            rightSection={
              phrase && (
                <ActionIcon
                  variant="transparent"
                  className={classes.clear}
                  aria-label={texts.clearSearch}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={clear}
                >
                  <IconX size={18} />
                </ActionIcon>
              )
            }
            onChange={(event) => type(event.currentTarget.value)}
            onFocus={() => phrase.trim() && combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            onKeyDown={onEscape}
          />
        </Combobox.Target>
        <Combobox.Dropdown className={classes.dropdown}>
          <Combobox.Options aria-label={texts.search} className={classes.options}>
            {results?.map((result, i) => (
              <Result
                key={keyOf(result)}
                index={i}
                result={result}
                map={map}
                items={items}
                language={language}
              />
            ))}
          </Combobox.Options>
          <Note state={state} results={results} phrase={phrase.trim()} texts={texts} />
        </Combobox.Dropdown>
      </Combobox>
    </search>
  );
}

const keyOf = (result: SearchResult): string =>
  result.type === 'layer' ? result.code : `${result.layer}/${result.svc_id}`;

interface Search {
  /** undefined: not known yet. */
  results: readonly SearchResult[] | undefined;
  state: CallState<SearchResult[]>;
}

/** Asks for what is typed once the reader rests; an earlier question is given up. */
function useSearch({ map, language, phrase }: { map: MapAddress; language: string; phrase: string }): Search {
  const wanted = phrase.trim().replace(/\s+/g, ' ');
  const [rested] = useDebouncedValue(wanted, rest);
  const state = useCall<SearchResult[]>(wanted && rested ? searchAddress(map, rested, language) : null);
  const isCurrent = wanted !== '' && wanted === rested && !state.loading && !state.error;
  // While another question is on its way the earlier results stay, but never those of a field that was emptied.
  const kept = useRef<readonly SearchResult[] | undefined>(undefined);
  if (isCurrent) kept.current = state.data;
  if (!wanted || state.error) kept.current = undefined;
  return { results: kept.current, state: { ...state, loading: wanted !== '' && !isCurrent && !state.error } };
}

interface ResultProps {
  index: number;
  result: SearchResult;
  map: MapAddress;
  items: readonly TreeItem[];
  language: string;
}

function Result({ index, result, map, items, language }: ResultProps): ReactNode {
  const texts = useTexts();
  const code = result.type === 'layer' ? result.code : result.layer;
  const item = items.find((one) => one.type !== 'folder' && one.code === code);
  const icon = item && iconAddress(map, item);
  const { title, detail } = wordsOf(result, texts);
  return (
    <Combobox.Option value={String(index)} className={classes.option}>
      <span className={classes.icon}>{icon && <img src={icon} alt="" width={22} height={22} />}</span>
      <span className={classes.words}>
        <span className={classes.title} lang={language}>
          {title}
        </span>
        <span className={classes.detail}>{detail}</span>
      </span>
    </Combobox.Option>
  );
}

/** What a result is called, and where it is: its layer, and the value that matched where that is not its name. */
function wordsOf(result: SearchResult, texts: Texts): { title: string; detail: string } {
  if (result.type === 'layer') return { title: result.name, detail: texts.layer };
  const { name, value, layer, layer_name, name_column, search_column, svc_id } = result;
  const called = name === null || name === '' ? '' : String(name);
  const place = layer_name || layer;
  const hasOther = called !== '' && name_column !== search_column;
  return {
    title: called || value || texts.objectId(String(svc_id)),
    detail: hasOther ? `${place} · ${value}` : place,
  };
}

interface NoteProps {
  state: CallState<SearchResult[]>;
  results: readonly SearchResult[] | undefined;
  phrase: string;
  texts: Texts;
}

/** How the search goes, in words; of results only their number, for those who do not see them. */
function Note({ state, results, phrase, texts }: NoteProps): ReactNode {
  const { loading, busy, error, retry } = state;
  if (error) {
    const isUnreachable = error instanceof ApiError && error.status === 0;
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
      {!loading && results && results.length > 0 && (
        <VisuallyHidden>{texts.results(results.length)}</VisuallyHidden>
      )}
    </div>
  );
}

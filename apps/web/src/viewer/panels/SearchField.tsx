import { ClientError } from '@cartulary/client';
import {
  ActionIcon,
  Combobox,
  Loader,
  TextInput,
  type TextInputProps,
  useCombobox,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { IconSearch, IconX } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import type { Texts } from '../../common/texts/texts.js';
import { type CallState, useCall } from '../../common/useCall.js';
import { truncatedHeader } from '../map/truncations.js';
import { iconAddress } from '../objects.js';
import { type SearchResult, searchAddress } from '../search.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress } from '../types.js';
import classes from './SearchField.module.css';

interface SearchFieldProps {
  map: MapAddress;
  items: readonly TreeItem[];
  /** Language of the data. */
  language: string;
  onChoose: (result: SearchResult) => void;
}

/** Delay between the last keystroke and the request. */
const typingDelayMs = 250;

/** Searches the layers and objects of the map while the user types. */
export function SearchField({ map, items, language, onChoose }: SearchFieldProps): ReactNode {
  const texts = useTexts();
  const [phrase, setPhrase] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { results, state } = useSearch({ map, language, phrase });
  // Enter chooses the first result.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results reset the selection
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
    event.preventDefault(); // keeps the panels open
    if (combobox.dropdownOpened) combobox.closeDropdown();
    else type('');
  };
  const choose = (option: string): void => {
    const result = results?.[Number(option)];
    if (!result) return;
    combobox.closeDropdown();
    input.current?.blur(); // hides the keyboard of a phone
    onChoose(result);
  };

  return (
    <search>
      <Combobox store={combobox} onOptionSubmit={choose} shadow="md" radius="md">
        <Combobox.Target withExpandedAttribute>
          <PhraseInput
            ref={input}
            phrase={phrase}
            onType={type}
            onClear={clear}
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

interface PhraseInputProps extends TextInputProps {
  ref: Ref<HTMLInputElement>;
  phrase: string;
  onType: (text: string) => void;
  onClear: () => void;
}

/** The text field with a button to clear it. Further properties come from the combobox. */
function PhraseInput({ phrase, onType, onClear, ...props }: PhraseInputProps): ReactNode {
  const texts = useTexts();
  const clearButton = (
    <ActionIcon
      variant="transparent"
      className={classes.clear}
      aria-label={texts.clearSearch}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClear}
    >
      <IconX size={18} />
    </ActionIcon>
  );
  return (
    <TextInput
      {...props}
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
      rightSection={phrase && clearButton}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

const keyOf = (result: SearchResult): string =>
  result.type === 'layer' ? result.code : `${result.layer}/${result.svc_id}`;

interface Search {
  /** undefined: no response yet. */
  results: readonly SearchResult[] | undefined;
  state: CallState<SearchResult[]>;
}

/** Searches for the phrase after a pause in typing. A new phrase aborts the request of an older one and hides its results. */
function useSearch({ map, language, phrase }: { map: MapAddress; language: string; phrase: string }): Search {
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
  const { title, detail } = describeResult(result, texts);
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

/** The title of a result, and its layer with the matching value if that differs from the title. */
function describeResult(result: SearchResult, texts: Texts): { title: string; detail: string } {
  if (result.type === 'layer') return { title: result.name, detail: texts.layer };
  const { name, value, layer, layer_name, name_column, search_column, svc_id } = result;
  const title = name === null || name === '' ? '' : String(name);
  const place = layer_name || layer;
  const hasOther = title !== '' && name_column !== search_column;
  return {
    title: title || value || texts.objectId(String(svc_id)),
    detail: hasOther ? `${place} · ${value}` : place,
  };
}

interface NoteProps {
  state: CallState<SearchResult[]>;
  results: readonly SearchResult[] | undefined;
  phrase: string;
  texts: Texts;
}

/** The state of the search; the number of results is for screen readers only. */
function Note({ state, results, phrase, texts }: NoteProps): ReactNode {
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

import {
  ActionIcon,
  Combobox,
  type ComboboxStore,
  TextInput,
  type TextInputProps,
  useCombobox,
} from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { IconSearch, IconX } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import type { SearchResult } from '../search.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress } from '../types.js';
import { useSearch } from '../useSearch.js';
import classes from './SearchField.module.css';
import { SearchNote, SearchResults } from './SearchResults.js';

interface SearchFieldProps {
  map: MapAddress;
  items: readonly TreeItem[];
  /** Language of the data. */
  language: string;
  onChoose: (result: SearchResult) => void;
}

/** Searches the layers and objects of the map while the user types. */
export function SearchField({ map, items, language, onChoose }: SearchFieldProps): ReactNode {
  const texts = useTexts();
  const [phrase, setPhrase] = useState('');
  const { results, state } = useSearch({ map, language, phrase });
  const combobox = useResultList(results);
  const input = useRef<HTMLInputElement>(null);
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
          <SearchResults map={map} items={items} language={language} results={results} />
          <SearchNote state={state} results={results} phrase={phrase.trim()} texts={texts} />
        </Combobox.Dropdown>
      </Combobox>
    </search>
  );
}

/** The list of results, of which Enter chooses the first. */
function useResultList(results: readonly SearchResult[] | undefined): ComboboxStore {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results reset the selection
  useEffect(() => {
    if (results?.length) combobox.selectFirstOption();
    else combobox.resetSelectedOption();
  }, [results]);
  return combobox;
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

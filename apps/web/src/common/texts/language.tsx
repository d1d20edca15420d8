import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { dictionaries, isUiLanguage, type Texts, type UiLanguage } from './texts.js';

interface LanguageState {
  /** Preferred languages, best first; they need not be available. */
  wanted: readonly string[];
  ui: UiLanguage;
  texts: Texts;
  choose: (code: string) => void;
}

const LanguageContext = createContext<LanguageState | null>(null);
const storageKey = 'cartulary-language';

/** Preferred languages, best first: from the address (`?lng=`), from storage, from the browser. */
function initialPreferences(): string[] {
  const inAddress = new URLSearchParams(location.search).get('lng');
  const all = [inAddress, stored(), ...navigator.languages].filter((code) => code !== null);
  return all.filter((code) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(code));
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null; // the browser may deny access to storage
  }
}

function remember(code: string): void {
  try {
    localStorage.setItem(storageKey, code);
  } catch {
    // without storage the choice lasts as long as the page
  }
  const url = new URL(location.href);
  if (!url.searchParams.has('lng')) return;
  url.searchParams.set('lng', code);
  history.replaceState(history.state, '', url);
}

/** The best available language: exact matches and matches of the primary subtag (`pt` for `pt-BR`) count; else the first. */
export function bestLanguage<T extends string>(wanted: readonly string[], available: readonly T[]): T {
  for (const code of wanted) {
    const main = code.split('-')[0]!.toLowerCase();
    const found =
      available.find((one) => one.toLowerCase() === code.toLowerCase()) ??
      available.find((one) => one.split('-')[0]!.toLowerCase() === main);
    if (found) return found;
  }
  return available[0]!;
}

const uiLanguages = Object.keys(dictionaries).filter(isUiLanguage);

export function LanguageProvider({ children }: { children: ReactNode }): ReactNode {
  const [wanted, setWanted] = useState<readonly string[]>(initialPreferences);
  const ui = bestLanguage(wanted, uiLanguages);
  const state = useMemo<LanguageState>(
    () => ({
      wanted,
      ui,
      texts: dictionaries[ui],
      choose: (code) => {
        remember(code);
        setWanted((before) => [code, ...before.filter((one) => one !== code)]);
      },
    }),
    [wanted, ui],
  );
  useEffect(() => {
    document.documentElement.lang = ui;
  }, [ui]);
  return <LanguageContext value={state}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageState {
  const state = useContext(LanguageContext);
  if (!state) throw new Error('useLanguage needs a LanguageProvider');
  return state;
}

export const useTexts = (): Texts => useLanguage().texts;

/** Languages of the menu: those of the data and of the texts. */
export const offeredLanguages = (data: readonly string[]): string[] => [
  ...new Set([...data, ...uiLanguages]),
];

/** The name of a language in that language: `Deutsch` for `de`. */
export function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch {
    return code;
  }
}

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

const primary = (code: string): string => code.split('-')[0]!.toLowerCase();

/** The first available language that is wanted: that code, or one of the same primary subtag (`pt` for `pt-BR`). */
function matchLanguage<T extends string>(wanted: readonly string[], available: readonly T[]): T | undefined {
  for (const code of wanted) {
    const found =
      available.find((one) => one.toLowerCase() === code.toLowerCase()) ??
      available.find((one) => primary(one) === primary(code));
    if (found) return found;
  }
  return undefined;
}

/** The best available language; the first if none is wanted. */
export const bestLanguage = <T extends string>(wanted: readonly string[], available: readonly T[]): T =>
  matchLanguage(wanted, available) ?? available[0]!;

/** The name of a map in the best language that it has a name in, else in its main language, or its code. */
export function shownName(
  { code, name, names }: { code: string; name: string; names: Readonly<Record<string, string>> },
  wanted: readonly string[],
): string {
  const language = matchLanguage(
    wanted,
    Object.keys(names).filter((one) => names[one]),
  );
  return (language !== undefined && names[language]) || name || code;
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

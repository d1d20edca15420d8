import { spelledLanguage } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';
import { checkLanguage } from './names.js';

/** A stored language of a map. */
export interface Locale {
  code: string;
  name: string;
  sort: number;
}

/** A language as sent: its code, or an object with more. */
export type LocaleInput = string | { code: string; name?: string; sort?: number };

/** The languages of a map in their order; null, also for an empty list: those of the project. Throws 400. */
export function checkLocales(inputs: readonly LocaleInput[] | null): Locale[] | null {
  if (!inputs?.length) return null;
  const locales = inputs.map((input, i): Locale => {
    const { code, name, sort = i + 1 } = typeof input === 'string' ? { code: input } : input;
    return { code: checkLanguage(code), name: name || languageName(code), sort };
  });
  const codes = locales.map(({ code }) => code);
  const twin = locales.find(({ code }, i) => codes.indexOf(spelledLanguage(code, codes)) < i);
  if (twin) throw badRequest(`locales: the language '${twin.code}' is repeated`, { parameters: ['locales'] });
  return locales.sort((a, b) => a.sort - b.sort);
}

type Offering = { locales: unknown[] | null };

const offered = ({ locales }: Offering, languages: readonly string[]): Locale[] =>
  (locales as Locale[] | null) ?? checkLocales(languages) ?? [];

/** Codes of the languages of a map; `languages` are those of its project. */
export const offeredLanguages = (map: Offering, languages: readonly string[]): string[] =>
  offered(map, languages).map(({ code }) => code);

/** Languages in the structure of the list of published maps. */
export const localesView = (
  map: Offering & { id: number },
  languages: readonly string[],
): Record<string, unknown>[] =>
  offered(map, languages).map(({ code, name, sort }, i) => ({
    id: i + 1,
    code,
    name,
    sort,
    container: map.id,
  }));

/** The name of a language in that language; its code where Intl does not know it. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  } catch {
    return code; // a text in the form of a language code that Intl does not know
  }
}

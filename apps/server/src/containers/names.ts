import { badRequest } from '../errors.js';
import { languagePattern } from '../http/params.js';

/** A name as it is stored: one text, or where `localized_name` a text per language. */
export interface StoredName {
  name: string;
  names: Record<string, string>;
  localized_name: boolean;
}

/** A name as it is sent: a text, or an object language → text. */
export type NameInput = string | Record<string, string>;

/**
 * The name to show: the asked language, the main one, any, then the code. A name that is not localized is
 * shown as it is, so it may be empty.
 */
export function shownName(
  stored: StoredName & { code: string },
  languages: readonly (string | undefined)[],
): string {
  if (!stored.localized_name) return stored.name;
  for (const language of languages) {
    // The names are those of the row alone: a language may be called as a method of all objects is.
    const name = language && Object.hasOwn(stored.names, language) && stored.names[language];
    if (name) return name;
  }
  return Object.values(stored.names).find(Boolean) ?? stored.code;
}

const isLanguage = new RegExp(languagePattern);

/** Refuses what is no language code (BCP 47 form, such as `en` or `pt-BR`). */
export function checkLanguage(language: string): string {
  if (!isLanguage.test(language)) throw badRequest(`'${language}' is not a language code`, { language });
  return language;
}

/**
 * The stored name after a change. Absent inputs keep what was. A text sent to a localized name sets the
 * language of the request (or the main one); an object needs `localized_name`.
 */
export function changedName(
  before: StoredName,
  input: { name?: NameInput | undefined; localized_name?: boolean | undefined },
  language: string,
): StoredName {
  const localized_name = input.localized_name ?? before.localized_name;
  if (typeof input.name === 'object') {
    if (!localized_name) throw badRequest('An object of names needs localized_name', { name: input.name });
    for (const code of Object.keys(input.name)) checkLanguage(code);
    return { name: before.name, names: { ...input.name }, localized_name };
  }
  if (!localized_name) {
    const name =
      input.name ?? (before.localized_name ? shownName({ ...before, code: '' }, [language]) : before.name);
    return { name, names: {}, localized_name };
  }
  const names = before.localized_name ? { ...before.names } : before.name ? { [language]: before.name } : {};
  if (input.name !== undefined) names[language] = input.name;
  return { name: '', names, localized_name };
}

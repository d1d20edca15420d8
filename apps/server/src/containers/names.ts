import { isLanguage, type LocalizedName } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';

/** A name as sent: a text, or an object language → text. */
export type NameInput = string | Record<string, string>;

/**
 * The name to show: that of the asked language, the main one, any, or the code. A name that is not localized is shown as it
 * is, and may be empty.
 */
export function shownName(
  stored: LocalizedName & { code: string },
  languages: readonly (string | undefined)[],
): string {
  if (!stored.localized_name) return stored.name;
  for (const language of languages) {
    // A language may have the name of an inherited property, such as `constructor`: only own keys count.
    const name = language && Object.hasOwn(stored.names, language) && stored.names[language];
    if (name) return name;
  }
  return Object.values(stored.names).find(Boolean) ?? stored.code;
}

/** Throws 400 for a text that has not the form of a language code (BCP 47, such as `en` or `pt-BR`). */
export function checkLanguage(language: string): string {
  if (!isLanguage(language)) throw badRequest(`'${language}' is not a language code`, { language });
  return language;
}

/**
 * The stored name after a change. Absent inputs keep the old name. A text for a localized name sets the language of the
 * request, or the main one. An object requires `localized_name`.
 */
export function changedName(
  before: LocalizedName,
  input: { name?: NameInput | undefined; localized_name?: boolean | undefined },
  language: string,
): LocalizedName {
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

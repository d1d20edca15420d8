/**
 * A well-formed language tag: language, script, region, variant (RFC 5646, section 2.1, without extensions).
 * `Intl` throws for others: a longer script, a second region, a variant of three letters.
 */
export const languagePattern =
  '^([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$';

const isWellFormed = new RegExp(languagePattern);

/** Whether a text has the form of a language code that `lng` takes. */
export const isLanguage = (code: string): boolean => isWellFormed.test(code);

/** A language code as one of `languages` spells it: codes are equal in any case (RFC 5646, section 2.1.1). */
export const spelledLanguage = (code: string, languages: readonly string[]): string =>
  languages.find((one) => one.toLowerCase() === code.toLowerCase()) ?? code;

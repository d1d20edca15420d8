import { spelledLanguage, type WrittenLanguages } from '@cartulary/columns';
import { type Caller, mainLanguage } from './caller.js';

/** The languages of what a request writes: plain values are of `lng`, else of the main language. */
export const writtenLanguages = (caller: Caller, lng: string | undefined): WrittenLanguages => ({
  language: lng ?? mainLanguage(caller),
  languages: caller.project.languages,
});

/**
 * Spells the languages in the parameters of a request as the project spells them: `RU` is `ru` (RFC 5646, section 2.1.1).
 * What is stored for `RU` would be missing in `ru`.
 */
export function spellLanguages(parameters: unknown, { project: { languages } }: Caller): void {
  if (typeof parameters !== 'object' || parameters === null) return;
  const named = parameters as Record<string, unknown>;
  for (const name of ['lng', 'lang', 'langs'] as const) {
    const codes = named[name];
    if (typeof codes !== 'string' || languages.includes(codes)) continue;
    named[name] = codes
      .split(',')
      .map((code) => spelledLanguage(code.trim(), languages))
      .join(',');
  }
  const { name } = named;
  if (typeof name === 'object' && name !== null && !Array.isArray(name)) {
    const spelled = Object.entries(name).map(([code, text]) => [spelledLanguage(code, languages), text]);
    named.name = Object.fromEntries(spelled);
  }
}

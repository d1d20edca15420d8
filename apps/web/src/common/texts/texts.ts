import { en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the pages in one language; English is the pattern that the others follow. */
export type Texts = {
  [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K];
};

export const dictionaries: Readonly<Record<'en' | 'ru', Texts>> = { en, ru };

/** The languages of the pages' own texts. */
export type UiLanguage = keyof typeof dictionaries;

export const isUiLanguage = (code: string): code is UiLanguage => code in dictionaries;

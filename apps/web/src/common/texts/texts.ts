import { en, type Texts } from './texts.en.js';
import { ru } from './texts.ru.js';

export type { Texts };

export const dictionaries: Readonly<Record<'en' | 'ru', Texts>> = { en, ru };

/** Languages with texts for the pages. */
export type UiLanguage = keyof typeof dictionaries;

export const isUiLanguage = (code: string): code is UiLanguage => code in dictionaries;

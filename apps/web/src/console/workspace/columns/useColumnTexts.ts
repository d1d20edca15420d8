import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { type ColumnTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ColumnTexts>> = { en, ru };

/** The texts of columns in the chosen language. */
export const useColumnTexts = (): ColumnTexts => tables[useLanguage().ui];

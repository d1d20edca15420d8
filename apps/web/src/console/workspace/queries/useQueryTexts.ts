import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type QueryTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, QueryTexts>> = { en, ru };

/** The texts of queries in the chosen language. */
export const useQueryTexts = (): QueryTexts => tables[useLanguage().ui];

import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type TableTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, TableTexts>> = { en, ru };

/** The texts of the table in the chosen language. */
export const useTableTexts = (): TableTexts => tables[useLanguage().ui];

import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type ImportTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ImportTexts>> = { en, ru };

/** The texts of the import in the chosen language. */
export const useImportTexts = (): ImportTexts => tables[useLanguage().ui];

import { useLanguage } from '../../../../common/texts/language.js';
import type { UiLanguage } from '../../../../common/texts/texts.js';
import { en, type FormTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, FormTexts>> = { en, ru };

/** The texts of the forms in the chosen language. */
export const useFormTexts = (): FormTexts => tables[useLanguage().ui];

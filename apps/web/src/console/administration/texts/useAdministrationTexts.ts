import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { type AdministrationTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, AdministrationTexts>> = { en, ru };

/** The texts of what administrators look after, in the chosen language. */
export const useAdministrationTexts = (): AdministrationTexts => tables[useLanguage().ui];

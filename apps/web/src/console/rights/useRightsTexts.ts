import { useLanguage } from '../../common/texts/language.js';
import type { UiLanguage } from '../../common/texts/texts.js';
import { en, type RightsTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, RightsTexts>> = { en, ru };

/** The texts of sharing and rights in the chosen language. */
export const useRightsTexts = (): RightsTexts => tables[useLanguage().ui];

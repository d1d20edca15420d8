import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { type ExternalTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ExternalTexts>> = { en, ru };

/** The texts of layers of other servers in the chosen language. */
export const useExternalTexts = (): ExternalTexts => tables[useLanguage().ui];

import { useLanguage } from '../../common/texts/language.js';
import type { UiLanguage } from '../../common/texts/texts.js';
import { type ConsoleTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ConsoleTexts>> = { en, ru };

/** The console's texts in the chosen language. */
export const useConsoleTexts = (): ConsoleTexts => tables[useLanguage().ui];

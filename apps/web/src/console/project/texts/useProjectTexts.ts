import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type ProjectTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ProjectTexts>> = { en, ru };

/** The texts of the pages of a project in the chosen language. */
export const useProjectTexts = (): ProjectTexts => tables[useLanguage().ui];

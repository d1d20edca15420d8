import { useLanguage } from '../../common/texts/language.js';
import type { UiLanguage } from '../../common/texts/texts.js';
import { en, type ToolTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, ToolTexts>> = { en, ru };

/** The texts of the map's tools in the chosen language. */
export const useToolTexts = (): ToolTexts => tables[useLanguage().ui];

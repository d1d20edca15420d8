import { useLanguage } from '../../../../common/texts/language.js';
import type { UiLanguage } from '../../../../common/texts/texts.js';
import { type EditorTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, EditorTexts>> = { en, ru };

/** The texts of the editor in the chosen language. */
export const useEditorTexts = (): EditorTexts => tables[useLanguage().ui];

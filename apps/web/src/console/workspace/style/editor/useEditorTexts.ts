import { textsHook } from '../../../../common/texts/textsHook.js';
import { type EditorTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the editor in the chosen language. */
export const useEditorTexts = textsHook<EditorTexts>({ en, ru });

import { textsHook } from '../../../common/texts/textsHook.js';
import { type ColumnTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of columns in the chosen language. */
export const useColumnTexts = textsHook<ColumnTexts>({ en, ru });

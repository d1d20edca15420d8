import { textsHook } from '../../common/texts/textsHook.js';
import { en, type ToolTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the map's tools in the chosen language. */
export const useToolTexts = textsHook<ToolTexts>({ en, ru });

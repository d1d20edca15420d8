import { textsHook } from '../../common/texts/textsHook.js';
import { type ConsoleTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The console's texts in the chosen language. */
export const useConsoleTexts = textsHook<ConsoleTexts>({ en, ru });

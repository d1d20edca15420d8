import { textsHook } from '../../../common/texts/textsHook.js';
import { type ExternalTexts, en } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of layers of other servers in the chosen language. */
export const useExternalTexts = textsHook<ExternalTexts>({ en, ru });

import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type ProjectTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of the pages of a project in the chosen language. */
export const useProjectTexts = textsHook<ProjectTexts>({ en, ru });

import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type GeometryTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The texts of drawing in the chosen language. */
export const useGeometryTexts = textsHook<GeometryTexts>({ en, ru });

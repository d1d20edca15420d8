import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type GeometryTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, GeometryTexts>> = { en, ru };

/** The texts of drawing in the chosen language. */
export const useGeometryTexts = (): GeometryTexts => tables[useLanguage().ui];

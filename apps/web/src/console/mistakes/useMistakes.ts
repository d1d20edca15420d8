import { useCallback } from 'react';
import { useLanguagePart } from '../../common/texts/useLanguagePart.js';

const translations = { ru: () => import('./russianMistake.js') };

/** Gives mistakes of styles, queries and icons, which the service words for programs, in the language of the page where it has them. */
export function useMistakes(): (text: string) => string {
  const translation = useLanguagePart(translations);
  return useCallback((text) => translation?.translatedMistake(text) ?? text, [translation]);
}

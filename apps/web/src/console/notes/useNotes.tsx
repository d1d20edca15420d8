import type { ReactNode } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import { useLanguagePart } from '../../common/texts/useLanguagePart.js';

const translations = { en: () => import('./englishNote.js'), ru: () => import('./russianNote.js') };

/** Shows notes and reasons of imports, which the service words for programs, in the words of the page where it has them. */
export function useNotes(): (text: string) => ReactNode {
  const { ui } = useLanguage();
  const translation = useLanguagePart(translations);
  return (text) => translation?.translatedNote(text) ?? (ui === 'en' ? text : <span lang="en">{text}</span>);
}

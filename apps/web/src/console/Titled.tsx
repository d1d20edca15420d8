import { type ReactNode, useEffect, useRef } from 'react';
import { useConsoleTexts } from './texts/useConsoleTexts.js';

/** The title of the document for a part of the console. */
export function useTitle(title: string): void {
  const texts = useConsoleTexts();
  useEffect(() => {
    document.title = `${title} · ${texts.console} · Cartulary`;
  }, [title, texts]);
}

/** The content of a page with its title. After the first page, the content has the focus, so that screen readers read it. */
export function Titled({ title, children }: { title: string; children: ReactNode }): ReactNode {
  useTitle(title);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current !== null && shown.current !== title) focusContent();
    shown.current = title;
  }, [title]);
  return children;
}

/** Moves the focus to the content of the page. */
export const focusContent = (): void => document.getElementById('content')?.focus();

import { useEffect, useState } from 'react';
import { useLanguage } from './language.js';
import type { UiLanguage } from './texts.js';

/** Modules with long texts by language, loaded only where they are needed. The service has these texts in English. */
type LanguageParts<T> = Readonly<Partial<Record<UiLanguage, () => Promise<T>>>>;

/** The module of the chosen language; undefined if it has none, or until it is loaded. `parts` must be the same each time. */
export function useLanguagePart<T>(parts: LanguageParts<T>): T | undefined {
  const { ui } = useLanguage();
  const [loaded, setLoaded] = useState<{ ui: UiLanguage; part: T }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (part: T): void => {
      if (isCurrent) setLoaded({ ui, part });
    };
    // Without the module the English texts stay.
    parts[ui]?.().then(show, () => {});
    return () => {
      isCurrent = false;
    };
  }, [ui, parts]);
  return loaded?.ui === ui ? loaded.part : undefined;
}

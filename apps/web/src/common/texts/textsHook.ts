import { useLanguage } from './language.js';
import type { UiLanguage } from './texts.js';

/** A hook that gives a table of texts in the chosen language. */
export const textsHook =
  <Texts>(tables: Readonly<Record<UiLanguage, Texts>>): (() => Texts) =>
  () =>
    tables[useLanguage().ui];

import { useLanguage } from '../../../common/texts/language.js';
import type { UiLanguage } from '../../../common/texts/texts.js';
import { en, type WorkspaceTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

const tables: Readonly<Record<UiLanguage, WorkspaceTexts>> = { en, ru };

/** The workspace's texts in the chosen language. */
export const useWorkspaceTexts = (): WorkspaceTexts => tables[useLanguage().ui];

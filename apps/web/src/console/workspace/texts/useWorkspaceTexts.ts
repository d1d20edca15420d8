import { textsHook } from '../../../common/texts/textsHook.js';
import { en, type WorkspaceTexts } from './texts.en.js';
import { ru } from './texts.ru.js';

/** The workspace's texts in the chosen language. */
export const useWorkspaceTexts = textsHook<WorkspaceTexts>({ en, ru });

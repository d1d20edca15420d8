import { ClientError } from '@cartulary/client';
import type { Texts } from '../../common/texts/texts.js';
import type { ConsoleTexts } from '../texts/texts.en.js';

/** The message for the user about a failed change. */
export function explain(error: unknown, texts: ConsoleTexts, common: Texts): string {
  if (!(error instanceof ClientError)) return common.failed;
  if (error.code === 'code_taken') return texts.codeTaken;
  if (error.code === 'code_invalid') return texts.codeInvalid;
  if (error.code === 'code_reserved') return texts.codeReserved;
  if (error.status === 401 || error.status === 403) return texts.forbidden;
  if (error.status === 404) return texts.gone;
  if (error.code === 'changed_meanwhile') return texts.changedMeanwhile;
  return error.status === 0 ? common.unreachable : error.message;
}

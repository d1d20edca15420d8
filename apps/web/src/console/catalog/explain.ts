import { ClientError } from '@cartulary/client';
import type { Texts } from '../../common/texts/texts.js';
import type { ConsoleTexts } from '../texts/texts.en.js';

/** What a browser says of a file that it cannot read. */
const fileFailures = ['NotFoundError', 'NotReadableError'];

/** The message for the user about a failed change. */
export function explain(error: unknown, texts: ConsoleTexts, common: Texts): string {
  if (error instanceof DOMException && fileFailures.includes(error.name)) return texts.fileUnreadable;
  if (!(error instanceof ClientError)) return common.failed;
  if (error.code === 'code_taken') return texts.codeTaken;
  if (error.code === 'code_invalid') return texts.codeInvalid;
  if (error.code === 'code_reserved') return texts.codeReserved;
  if (error.code === 'login_failed') return texts.wrongPassword;
  if (error.status === 401) return texts.signedOut;
  if (error.status === 403) return texts.forbidden;
  if (error.status === 404) return texts.gone;
  if (error.code === 'changed_meanwhile') return texts.changedMeanwhile;
  if (error.code === 'constraint_violated') return ruleOf(error, texts) ?? error.message;
  if (error.code === 'value_invalid' && error.data.columns) return texts.wrongValue;
  if (error.code === 'required_missing' && error.data.columns) return texts.emptyValue;
  if (error.code === 'bad_request' && error.data.right) return texts.ownAdministration;
  if (error.code === 'bad_request' && error.data.icon) return texts.iconUsed(error.data.layers as string[]);
  if (error.status === 0) return common.unreachable;
  if (error.code === 'too_many_requests')
    return error.retryAfter ? texts.tooMany(error.retryAfter) : texts.tooManyUploads;
  if (error.code === 'too_large')
    return texts.tooLarge(error.data.unit === 'bytes' ? Number(error.data.limit) : null);
  if (error.code === 'busy') return texts.busy;
  if (error.code === 'timeout') return texts.tooSlow;
  // What a proxy says, or how the service names a fault of its own, helps no user.
  return error.code === 'unexpected' || error.code === 'internal' ? common.failedHint : error.message;
}

/** The rule that a value breaks; null: the service does not name it. */
function ruleOf({ data }: ClientError, texts: ConsoleTexts): string | null {
  const { type, range } = data as { type?: string; range?: readonly [unknown, unknown] };
  if (range) return texts.onlyRange(...range);
  return type === undefined ? null : (texts.rules[type] ?? null);
}

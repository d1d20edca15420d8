import { CommandFailure, describeError, ServerRefusal } from './failure.js';
import { tell } from './output.js';

/** Advice by the code of an error. */
const hints: Readonly<Record<string, string>> = {
  not_authenticated:
    'Sign in, and give the token: export CARTULARY_TOKEN=$(cartulary login <user>). One that is not used for 10 minutes ends.',
  login_failed: 'The password is read from CARTULARY_PASSWORD, or from the standard input.',
  forbidden:
    "Sign in as a user who may, or have the right granted: 'cartulary grant set'. 'cartulary grant explain <user>' tells where it comes from.",
  project_not_found: "'cartulary project list' on the data folder shows the projects.",
  map_not_found: "'cartulary map list' shows the maps.",
  layer_not_found: "'cartulary layer list <map>' shows the layers.",
  column_not_found: "'cartulary column list <map> <layer>' shows the columns.",
  container_not_found: "'cartulary layer list <map>' shows the layers and folders.",
  job_not_found: "'cartulary job list' shows your jobs.",
  code_taken: 'Choose another code; create --if-missing goes on with what is there.',
  import_georeference_missing: "Say where the image lies: --raster-bbox 'west,south,east,north'.",
};

function hintOf(error: CommandFailure): string {
  if (!(error instanceof ServerRefusal)) return error.hint;
  if (error.status === 503 || error.status === 429) {
    const seconds = Number(error.data.retry_after);
    return seconds > 0 ? `Try again in ${seconds} s.` : 'Try again in a moment.';
  }
  return error.hint || (hints[error.code] ?? '');
}

/**
 * Prints the reason of a failed command and advice where there is any; with `json` as an object. Never prints
 * a stack.
 */
export function explain(error: Error, json: boolean): number {
  const hint = error instanceof CommandFailure ? hintOf(error) : '';
  const message = describeError(error);
  if (json) {
    const { code = 'failed', data = {} } = error instanceof ServerRefusal ? error : {};
    process.stderr.write(`${JSON.stringify({ error: 'error', code, message, hint, data })}\n`);
  } else {
    tell(`cartulary: ${message}`);
    if (hint) tell(hint);
  }
  return error instanceof CommandFailure ? error.exitCode : 1;
}

import { normalize } from '../../common/texts/normalize.js';
import type { Action, ActionGroup } from './actions.js';

/** Most actions that are listed. */
const listLimit = 50;

/** Groups with the actions whose name has a word that begins with each word of the phrase, at most 50 in all. Groups of one name are one. */
export function matching(groups: readonly ActionGroup[], phrase: string): ActionGroup[] {
  const wanted = normalize(phrase).split(/\s+/).filter(Boolean);
  let rest = listLimit;
  const ofLabel = new Map<string, Action[]>();
  for (const { label, actions } of groups) ofLabel.set(label, [...(ofLabel.get(label) ?? []), ...actions]);
  return [...ofLabel].flatMap(([label, actions]) => {
    const found = actions.filter((action) => matches(action, wanted)).slice(0, rest);
    rest -= found.length;
    return found.length ? [{ label, actions: found }] : [];
  });
}

function matches({ label, hint = '' }: Action, wanted: readonly string[]): boolean {
  const words = normalize(`${label} ${hint}`).split(/[^\p{L}\p{N}]+/u);
  return wanted.every((one) => words.some((word) => word.startsWith(one)));
}

import { type Condition, conjoin, relateAll } from './conditions.js';
import type { Definition } from './selectors.js';
import type { Setting } from './settings.js';

/** What one kind of feature gets: the features that meet `conditions`, and none of `refused`. */
export interface Leaf {
  readonly conditions: readonly Condition[];
  /** Each is a list of conditions that do not all hold. */
  readonly refused: readonly (readonly Condition[])[];
  /** The settings that won, by symbolizer and property. */
  readonly chosen: ReadonlyMap<string, Setting>;
}

/** Limits of one layer's style, counted down; `rules` by the caller, who may join equal ones. */
export interface Budget {
  rules: number;
  steps: number;
}

/** Of one layer's style: rules that Mapnik gets, comparisons that finding them may take. */
export const maxRules = 2000;
const maxSteps = 5_000_000;
export const makeBudget = (): Budget => ({ rules: maxRules, steps: maxSteps });

interface Path {
  next: number;
  conditions: readonly Condition[];
  refused: readonly (readonly Condition[])[];
  chosen: Map<string, Setting>;
  /** No definition was met yet. */
  top: boolean;
}

/**
 * The cascade at one zoom level. `definitions`: those that are active there, the strongest first. Each property of a
 * feature comes from the strongest definition that the feature meets. The leaves are in such an order that the first
 * one whose `conditions` a feature meets is right for it; `refused` makes them exclude each other in any order.
 *
 * A definition splits the features in two only where it can be met or not and still sets something, and only one half
 * is left where the other is known to be empty: n values of one column make n leaves, not 2^n. Filters that have nothing
 * to do with each other and set the same symbolizer still multiply; undefined is returned when they exceed the budget.
 */
export function expand(
  definitions: readonly Definition[],
  keys: ReadonlySet<string>,
  budget: Budget,
): Leaf[] | undefined {
  const leaves: Leaf[] = [];
  const waiting: Path[] = [{ next: 0, conditions: [], refused: [], chosen: new Map(), top: true }];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    while (path.next < definitions.length) {
      const other = step(path, definitions[path.next++] as Definition, keys, budget);
      if (other !== undefined) waiting.push(other);
      if (budget.steps < 0 || waiting.length > budget.rules) return undefined;
    }
    if (path.chosen.size === 0) continue;
    leaves.push({ conditions: path.conditions, refused: path.refused, chosen: path.chosen });
    if (leaves.length > budget.rules) return undefined;
  }
  return leaves;
}

/** Applies a definition to the path; returns the path of the features that do not meet it, when there can be any. */
function step(
  path: Path,
  definition: Definition,
  keys: ReadonlySet<string>,
  budget: Budget,
): Path | undefined {
  const fresh = definition.settings.filter((setting) => isFresh(path, setting, keys));
  budget.steps -= 1 + definition.settings.length + path.conditions.length * definition.conditions.length;
  if (fresh.length === 0) return undefined;
  const open: Condition[] = [];
  for (const condition of definition.conditions) {
    const relation = relateAll(path.conditions, condition);
    if (relation === 'contradicted') return undefined;
    if (relation === 'open') open.push(condition);
  }
  if (open.length === 0) {
    apply(path, fresh);
    return undefined;
  }
  const joined = conjoin(path.conditions, open);
  budget.steps -= path.refused.length * (joined?.length ?? 0) + path.chosen.size;
  if (joined === undefined || path.refused.some((list) => follows(joined, list))) return undefined;
  const other = { ...path, refused: refuse(path.refused, open), chosen: new Map(path.chosen) };
  path.conditions = joined;
  apply(path, fresh);
  return other;
}

/** `line: none` and the like hold only when nothing stronger is met (carto does not inherit them). */
function isFresh(path: Path, setting: Setting, keys: ReadonlySet<string>): boolean {
  if (!keys.has(setting.key)) return false;
  if (setting.property.type.kind === 'presence' && !path.top) return false;
  return !path.chosen.has(settingKey(setting));
}

const settingKey = (setting: Setting): string => `${setting.key} ${setting.property.name}`;

function apply(path: Path, settings: readonly Setting[]): void {
  // Within one block the first of two equal declarations wins, as in carto.
  for (const setting of settings) {
    const key = settingKey(setting);
    if (!path.chosen.has(key)) path.chosen.set(key, setting);
  }
  path.top = false;
}

const follows = (known: readonly Condition[], list: readonly Condition[]): boolean =>
  list.every((condition) => relateAll(known, condition) === 'implied');

/** A list that follows from the new one says more than the new one, and is not needed beside it. */
function refuse(refused: Path['refused'], added: readonly Condition[]): Path['refused'] {
  return [...refused.filter((list) => !follows(list, added)), added];
}

import type { Setting } from '../values/settings.js';
import { type Condition, conjoin, relateAll } from './conditions.js';
import type { Definition } from './selectors.js';

/** The settings of the features that meet `conditions` and none of `refused`. */
export interface Leaf {
  readonly conditions: readonly Condition[];
  /** Each is a list of conditions that do not all hold. */
  readonly refused: readonly (readonly Condition[])[];
  /** The effective settings, by symbolizer and property. */
  readonly chosen: ReadonlyMap<string, Setting>;
}

/** Remaining limits of one layer's style. The caller counts `rules` and their `settings`, since it merges equal rules. */
export interface Budget {
  rules: number;
  settings: number;
  steps: number;
}

/** Limits of one layer's style: rules for Mapnik, settings in all of them together, and steps of the search for them. */
export const maxRules = 2000;
const maxSettings = 30_000;
const maxSteps = 5_000_000;
export const makeBudget = (): Budget => ({ rules: maxRules, settings: maxSettings, steps: maxSteps });

interface Path {
  /** The definitions to apply, from `next` on. */
  definitions: readonly Definition[];
  next: number;
  conditions: readonly Condition[];
  refused: readonly (readonly Condition[])[];
  chosen: Map<string, Setting>;
  /** No definition matched yet. */
  top: boolean;
}

/**
 * The cascade at one zoom level. `definitions` are active there, the strongest first. Each property of a feature comes from
 * the strongest definition that the feature meets. The first leaf whose `conditions` a feature meets applies to it; with
 * `refused` the leaves exclude each other in any order.
 *
 * A definition splits the features only if both outcomes are possible and it sets a new property. An empty half is
 * dropped: n values of one column make n leaves, not 2^n. Independent filters of the same symbolizer still multiply.
 * Returns undefined if they exceed the budget.
 */
export function expand(
  definitions: readonly Definition[],
  keys: ReadonlySet<string>,
  budget: Budget,
): Leaf[] | undefined {
  const leaves: Leaf[] = [];
  const work: Work = { definitions, keys, budget, index: new Map() };
  const waiting: Path[] = [
    { definitions, next: 0, conditions: [], refused: [], chosen: new Map(), top: true },
  ];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    while (path.next < path.definitions.length) {
      const other = step(work, path);
      if (other !== undefined) waiting.push(other);
      if (budget.steps < 0 || waiting.length > budget.rules) return undefined;
    }
    if (path.chosen.size === 0) continue;
    leaves.push({ conditions: path.conditions, refused: path.refused, chosen: path.chosen });
    if (leaves.length > budget.rules) return undefined;
  }
  return leaves;
}

interface Work {
  readonly definitions: readonly Definition[];
  readonly keys: ReadonlySet<string>;
  readonly budget: Budget;
  /** By the key of an equality, created on first use. */
  readonly index: Map<string, EqualityIndex>;
}

/** Applies the next definition to the path. Returns the path of the features that fail it, if any are possible. */
function step(work: Work, path: Path): Path | undefined {
  const { keys, budget } = work;
  const definition = path.definitions[path.next++] as Definition;
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
  path.refused = path.refused.filter((list) => !excluded(joined, list));
  for (const condition of open) narrow(work, path, condition);
  apply(path, fresh);
  return other;
}

/** Positions of the definitions that require a value of a column, and of the others. */
interface EqualityIndex {
  readonly others: readonly number[];
  readonly byValue: ReadonlyMap<string | number, readonly number[]>;
}

const requiredValue = (condition: Condition): string | number | undefined => {
  const { op, constant } = condition;
  return op === '=' && (typeof constant === 'string' || typeof constant === 'number') ? constant : undefined;
};

/**
 * Removes the remaining definitions that require another value. This only saves time: skipping them one by one dominates
 * the cost for hundreds of values of one column.
 */
function narrow(work: Work, path: Path, condition: Condition): void {
  const value = requiredValue(condition);
  if (value === undefined || path.definitions !== work.definitions) return;
  let index = work.index.get(condition.key);
  if (index === undefined) {
    index = makeIndex(work.definitions, condition.key);
    work.index.set(condition.key, index);
    work.budget.steps -= work.definitions.length;
  }
  const places = [...index.others, ...(index.byValue.get(value) ?? [])].filter((place) => place >= path.next);
  places.sort((a, b) => a - b);
  work.budget.steps -= index.others.length;
  path.definitions = places.map((place) => work.definitions[place] as Definition);
  path.next = 0;
}

function makeIndex(definitions: readonly Definition[], key: string): EqualityIndex {
  const others: number[] = [];
  const byValue = new Map<string | number, number[]>();
  for (const [place, { conditions }] of definitions.entries()) {
    const value = conditions
      .map((c) => (c.key === key ? requiredValue(c) : undefined))
      .find((v) => v !== undefined);
    if (value === undefined) others.push(place);
    else if (byValue.has(value)) byValue.get(value)?.push(place);
    else byValue.set(value, [place]);
  }
  return { others, byValue };
}

/** `line: none` and similar settings apply only if no stronger definition matched (carto does not inherit them). */
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

const excluded = (known: readonly Condition[], list: readonly Condition[]): boolean =>
  list.some((condition) => relateAll(known, condition) === 'contradicted');

/** Adds a refused list. Existing lists that the new one implies become redundant. */
function refuse(refused: Path['refused'], added: readonly Condition[]): Path['refused'] {
  return [...refused.filter((list) => !follows(list, added)), added];
}

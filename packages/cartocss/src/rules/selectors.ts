import { geometryType } from '../expressions/expression.js';
import type { Element, Item, RuleBlock, Selector, Stylesheet } from '../syntax/tree.js';
import type { ConvertContext } from '../values/convert.js';
import type { Scope } from '../values/evaluate.js';
import { readSetting, type Setting } from '../values/settings.js';
import { shorten } from '../values/values.js';
import { type Condition, conjoin, makeCondition } from './conditions.js';
import { readFilter, readZoom } from './filters.js';
import { allZooms, type ZoomSet } from './zoom.js';

/** A selector combined with its enclosing blocks, and its settings. */
export interface Definition {
  /** `` is the layer's own style. */
  readonly attachment: string;
  readonly conditions: readonly Condition[];
  readonly zooms: ZoomSet;
  /** Numbers of ids, classes and conditions, and the place in the text, in order of precedence. */
  readonly specificity: readonly [ids: number, classes: number, conditions: number, at: number];
  readonly settings: readonly Setting[];
}

export interface Flattened {
  /** The strongest first. */
  readonly definitions: readonly Definition[];
  /** The settings of Map{}, in the order of the text. */
  readonly map: readonly Setting[];
}

export interface SelectorContext extends ConvertContext {
  /** The layer. undefined: the style of a map, which has only `Map{}`. */
  readonly layer: { readonly code: string; readonly classes: readonly string[] } | undefined;
}

/**
 * Classes for kinds of geometry, as programs for CartoCSS give them to layers. They select the objects of that kind, since a
 * layer may have several. An image has no geometry: `raster` has no condition, and raster symbols draw nothing elsewhere.
 */
const geometryClasses: ReadonlyMap<string, Condition | undefined> = new Map([
  ['point', ofGeometry('point')],
  ['line', ofGeometry('linestring')],
  ['polygon', ofGeometry('polygon')],
  ['raster', undefined],
]);

function ofGeometry(name: 'point' | 'linestring' | 'polygon'): Condition {
  return makeCondition({ kind: 'column', name: geometryType }, '=', { kind: 'constant', name });
}

/** Selectors combined with their enclosing blocks: nested lists multiply. */
const maxBranches = 5000;
/** Filters of one selector with its enclosing blocks. */
const maxConditions = 100;

interface Branch {
  readonly attachment: string;
  readonly conditions: readonly Condition[];
  readonly zooms: ZoomSet;
  readonly ids: number;
  readonly classes: number;
  /** Number of filters in the text, including redundant ones. */
  readonly count: number;
}

interface State {
  readonly scope: Scope;
  readonly context: SelectorContext;
  readonly definitions: Definition[];
  readonly map: Setting[];
  branches: number;
}

const root: Branch = { attachment: '', conditions: [], zooms: allZooms, ids: 0, classes: 0, count: 0 };

/** Flattens the tree: every selector with its settings, the strongest first. Reports problems. */
export function flatten(sheet: Stylesheet, scope: Scope, context: SelectorContext): Flattened {
  const state: State = { scope, context, definitions: [], map: [], branches: 0 };
  for (const item of sheet.items) {
    if (item.kind === 'block') flattenBlock(state, item, [root]);
    else if (item.kind === 'declaration') {
      readSetting(scope, item, context);
      scope.problems.add(item.at, `${shorten(item.name)} stands outside of a block`, '#layer { … }');
    }
  }
  // The sort is stable: selectors of one block with equal specificity keep their order.
  state.definitions.sort((a, b) => compareSpecificity(a.specificity, b.specificity));
  return { definitions: state.definitions, map: state.map };
}

function compareSpecificity(a: Definition['specificity'], b: Definition['specificity']): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2] || b[3] - a[3];
}

function flattenBlock(state: State, block: RuleBlock, parents: readonly Branch[]): void {
  if (block.selectors.some((selector) => selector.elements.some((element) => element.kind === 'map'))) {
    flattenMap(state, block, parents);
    return;
  }
  if (state.context.layer === undefined) {
    state.scope.problems.add(block.at, 'the style of a map holds Map { } and variables only', 'Map { … }');
    return;
  }
  const around = block.selectors.flatMap(({ elements }) => elements).find(({ kind }) => kind === 'around');
  if (around && parents[0] === root)
    state.scope.problems.add(around.at, '& names the block around it, and there is none', '#layer { … }');
  const own = block.selectors.flatMap((selector) => readSelector(state, selector) ?? []);
  const branches = own.flatMap((branch) => branchesOf(state, { branch, at: block.at }, parents));
  if (own.length > 0 && parents.length > 0 && branches.length === 0 && !meet(own, parents)) {
    const message = 'this selector matches nothing: it excludes what the blocks around it select';
    state.scope.problems.add(block.at, message);
  }
  const settings: Setting[] = [];
  for (const item of block.items) {
    if (item.kind === 'block') flattenBlock(state, item, branches);
    else if (item.kind === 'declaration') addSetting(state, item, settings);
  }
  const [first] = settings;
  if (first === undefined) return;
  for (const { attachment, conditions, zooms, ids, classes, count } of branches) {
    state.definitions.push({
      attachment,
      conditions,
      zooms,
      specificity: [ids, classes, count, first.at],
      settings,
    });
  }
}

function addSetting(state: State, item: Extract<Item, { kind: 'declaration' }>, settings: Setting[]): void {
  const setting = readSetting(state.scope, item, state.context);
  if (setting === undefined) return;
  if (setting.property.symbolizer === 'map') {
    state.scope.problems.add(item.at, `${item.name} belongs into Map { }`, `Map { ${item.name}: …; }`);
  } else settings.push(setting);
}

function flattenMap(state: State, block: RuleBlock, parents: readonly Branch[]): void {
  const { problems } = state.scope;
  const [selector, ...others] = block.selectors;
  const plain = selector?.elements.length === 1 && selector.filters.length + selector.zooms.length === 0;
  if (parents[0] !== root || others.length > 0 || !plain || selector?.attachment !== undefined) {
    problems.add(
      block.at,
      'Map stands alone: outside of blocks, without other selectors and filters',
      'Map { … }',
    );
  }
  for (const item of block.items) {
    if (item.kind === 'block')
      problems.add(item.at, 'Map { } holds no blocks', 'background-color, buffer-size');
    if (item.kind !== 'declaration') continue;
    const known = ['background-color', 'buffer-size'].includes(item.name);
    if (!known) {
      problems.add(item.at, `Map has no property ${shorten(item.name)}`, 'background-color, buffer-size');
      continue;
    }
    const setting = readSetting(state.scope, item, state.context);
    if (setting !== undefined) state.map.push(setting);
  }
}

/**
 * Whether only the zoom levels exclude each other: existing styles have such blocks, copied for other levels, and they are
 * no mistake that changes a picture. Filters that exclude each other are one.
 */
const meet = (own: readonly Branch[], parents: readonly Branch[]): boolean =>
  own.some((one) => parents.some((parent) => conjoin(parent.conditions, one.conditions) !== undefined));

/** Combines a selector with each of its parents. */
function branchesOf(
  state: State,
  { branch: own, at }: { branch: Branch; at: number },
  parents: readonly Branch[],
): Branch[] {
  const branches: Branch[] = [];
  const seen = new Set<string>();
  for (const parent of parents) {
    const conditions = conjoin(parent.conditions, own.conditions);
    const zooms = parent.zooms & own.zooms;
    if (conditions === undefined || zooms === 0) continue;
    if (conditions.length > maxConditions) {
      state.scope.problems.add(
        at,
        'too many filters',
        `at most ${maxConditions} with those of the blocks around`,
      );
      return branches;
    }
    if (++state.branches > maxBranches) {
      if (state.branches === maxBranches + 1) {
        const expected = `at most ${maxBranches}, each counted with every block around it`;
        state.scope.problems.add(at, 'the style has too many selectors', expected);
      }
      return branches;
    }
    const attachment = [parent.attachment, own.attachment].filter((name) => name !== '').join('/');
    const ids = parent.ids + own.ids;
    const classes = parent.classes + own.classes;
    const branch = { attachment, conditions, zooms, ids, classes, count: parent.count + own.count };
    const key = `${attachment}\n${zooms} ${ids} ${classes} ${branch.count}\n${conditions.map((c) => c.text).join('\n')}`;
    if (!seen.has(key)) branches.push(branch);
    seen.add(key);
  }
  return branches;
}

/** Reads one selector without its parents. undefined: it selects nothing of the layer. */
function readSelector(state: State, selector: Selector): Branch | undefined {
  const { scope, context } = state;
  let ids = 0;
  let classes = 0;
  let matches = true;
  for (const element of selector.elements) {
    if (element.kind === 'id') ids++;
    if (element.kind === 'class') classes++;
    if (!selects(state, element)) matches = false;
  }
  let zooms: ZoomSet = allZooms;
  for (const node of selector.zooms) zooms &= readZoom(scope, node) ?? allZooms;
  const conditions = selector.filters.map((node) => readFilter(scope, node, context));
  if (conditions.includes(undefined)) return undefined;
  for (const element of selector.elements) {
    const kind = isOfLayer(state, element) ? undefined : geometryClasses.get(element.name);
    if (element.kind === 'class' && kind !== undefined) conditions.push(kind);
  }
  const joined = conjoin([], conditions as Condition[]);
  if (joined === undefined || zooms === 0) {
    scope.problems.add(selector.at, 'this selector matches nothing: its filters exclude each other');
    return undefined;
  }
  const count = selector.filters.length + selector.zooms.length;
  return matches
    ? { attachment: selector.attachment ?? '', conditions: joined, zooms, ids, classes, count }
    : undefined;
}

const isOfLayer = ({ context }: State, { name }: Element): boolean =>
  context.layer?.classes.includes(name) ?? false;

function selects(state: State, element: Element): boolean {
  const { layer } = state.context;
  if (element.kind === 'any' || element.kind === 'around' || layer === undefined) return true;
  const { name } = element;
  if (element.kind === 'id') {
    if (name === layer.code || name === 'layer') return true;
    const message = `#${shorten(name)} selects no layer: this style belongs to '${layer.code}'`;
    state.scope.problems.add(element.at, message, `#${layer.code} or #layer`);
    return false;
  }
  if (isOfLayer(state, element) || geometryClasses.has(name)) return true;
  const known = [...new Set([...layer.classes, ...geometryClasses.keys()])]
    .map((word) => `.${word}`)
    .join(', ');
  state.scope.problems.add(
    element.at,
    `.${shorten(name)} selects nothing: the layer has no such class`,
    known,
  );
  return false;
}

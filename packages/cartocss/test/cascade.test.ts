import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { checkLayerStyle } from '../src/check.js';
import { compileLayerStyle } from '../src/compile.js';
import { geometryType } from '../src/expressions/expression.js';
import type { Condition } from '../src/rules/conditions.js';
import type { FeatureFilter, FilterTree } from '../src/rules/feature-filter.js';
import type { RuleStyle } from '../src/rules/rules.js';
import { type Definition, flatten } from '../src/rules/selectors.js';
import { parseStyle } from '../src/syntax/parse.js';
import { collectProblems } from '../src/syntax/problems.js';
import { makeScope } from '../src/values/evaluate.js';
import type { Setting } from '../src/values/settings.js';
import { startDrawer } from './draw.js';
import { columns, extentAt, featuresAt, size } from './features.js';
import { randomNumbers, randomStyle, randomWideStyle } from './random-styles.js';
import { difference, layer, options, ourXml, theirXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

type Row = Record<string, unknown>;
const geometryNumbers: Record<string, number> = { Point: 1, LineString: 2, Polygon: 3 };
const rows: Row[] = featuresAt(8).map((feature) => ({
  ...feature.properties,
  [geometryType]: geometryNumbers[feature.geometry.type],
}));

/** Mapnik's comparison of a column with a constant: false if one is null or of another kind, except for `!=`, which is false for null and the empty text. */
function compare(left: unknown, op: string, right: unknown): boolean {
  if (op === '=') return left === right;
  if (op === '!=') return left !== right && !(left === null && right === '');
  if (typeof left !== typeof right || left === null) return false;
  const [a, b] = [left as number, right as number];
  return op === '<' ? a < b : op === '<=' ? a <= b : op === '>' ? a > b : a >= b;
}

function meets(row: Row, condition: Condition): boolean {
  const { expression } = condition;
  assert.ok(expression.kind === 'binary' && expression.left.kind === 'column');
  return compare(row[expression.left.name], condition.op, condition.constant);
}

/** The symbolizers of a feature by the definition of the cascade: attachment → symbolizers. A direct reference implementation. */
function expected(definitions: readonly Definition[], row: Row, zoom: number): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const attachment of new Set(definitions.map((definition) => definition.attachment))) {
    const chosen = new Map<string, Setting>();
    let top = true;
    for (const definition of definitions) {
      if (definition.attachment !== attachment || ((definition.zooms >> zoom) & 1) === 0) continue;
      if (!definition.conditions.every((condition) => meets(row, condition))) continue;
      const settings = definition.settings.filter(({ property }) => property.symbolizer !== 'style');
      for (const setting of settings) {
        const key = `${setting.key} ${setting.property.name}`;
        if (!chosen.has(key) && (top || setting.property.type.kind !== 'presence')) chosen.set(key, setting);
      }
      if (settings.length > 0) top = false;
    }
    const symbolizers = describe([...chosen.values()]);
    if (symbolizers.length > 0) result.set(attachment, symbolizers);
  }
  return result;
}

function describe(settings: readonly Setting[]): string[] {
  const keys = [...new Set(settings.map((setting) => setting.key))];
  return keys
    .map((key) => settings.filter((setting) => setting.key === key).sort((a, b) => a.at - b.at))
    .filter((list) => !list.some((setting) => setting.attribute.form === 'absent'))
    .sort((a, b) => (a[0] as Setting).at - (b[0] as Setting).at)
    .map((list) => list.map(({ at, property }) => `${property.name}@${at}`).join(' '));
}

/** The symbolizers of a feature by the compiled rules. */
function actual(styles: readonly RuleStyle[], row: Row, zoom: number): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const style of styles) {
    const fitting = style.rules.filter(
      (rule) =>
        rule.first <= zoom &&
        rule.last >= zoom &&
        rule.conditions.every((condition) => meets(row, condition)) &&
        !rule.refused.some((list) => list.every((condition) => meets(row, condition))),
    );
    const rules = style.mode === 'first' ? fitting.slice(0, 1) : fitting;
    const symbolizers = rules.flatMap((rule) =>
      rule.symbolizers.flatMap(({ settings }) => describe([...settings.values()])),
    );
    if (symbolizers.length > 0) result.set(style.attachment, symbolizers);
  }
  return result;
}

/** Evaluates a feature filter as SQL does. */
function passes(filter: FeatureFilter, row: Row): boolean {
  if (filter === 'all') return true;
  if (filter === 'none') return false;
  const tree: FilterTree = filter;
  switch (tree.kind) {
    case 'or':
      return tree.terms.some((term) => passes(term, row));
    case 'and':
      return tree.terms.every((term) => passes(term, row));
    case 'in':
      return tree.values.some((value) => value === row[tree.column]);
    case 'null':
      return row[tree.column] === null;
    case 'not-null':
      return row[tree.column] !== null;
    case 'compare':
      return compare(row[tree.column], tree.op, tree.value);
  }
}

function definitionsOf(style: string): readonly Definition[] {
  const problems = collectProblems(style);
  const sheet = parseStyle(style, problems);
  const context = { icons: new Map<string, string>(), fonts: [], columns, layer };
  return flatten(sheet, makeScope(sheet, problems), context).definitions;
}

test('the rules draw every feature as the cascade defines', () => {
  const random = randomNumbers(11);
  let styles = 0;
  let joint = 0;
  while (styles < 300) {
    const style = random() < 0.3 ? randomWideStyle(random) : randomStyle(random, false);
    if (checkLayerStyle(style, layer, options).length > 0) continue;
    styles++;
    const definitions = definitionsOf(style);
    const compiled = compileLayerStyle(style, layer, options);
    if (compiled.rules.some((part) => part.mode === 'all')) joint++;
    for (const zoom of [0, 3, 4, 5, 8, 10, 13, 25]) {
      const filter = compiled.filterAt(zoom);
      for (const row of rows) {
        const wanted = expected(definitions, row, zoom);
        assert.deepEqual(
          actual(compiled.rules, row, zoom),
          wanted,
          `zoom ${zoom}, feature ${row.id}\n${style}`,
        );
        if (wanted.size > 0)
          assert.ok(passes(filter, row), `the filter loses feature ${row.id} at ${zoom}\n${style}`);
      }
    }
  }
  // Both modes of rules occur.
  assert.ok(joint > 5 && joint < styles, `${joint} of ${styles}`);
});

test('random styles are drawn as carto draws them', async () => {
  const random = randomNumbers(5);
  let styles = 0;
  while (styles < 40) {
    const style = randomStyle(random, true);
    if (checkLayerStyle(style, layer, options).length > 0) continue;
    const zoom = [3, 8, 13][styles++ % 3] as number;
    const request = { extent: extentAt(zoom), size, scale: 1 };
    const ours = await drawer.draw({ ...request, xml: ourXml(style, zoom), strict: true });
    const theirs = await drawer.draw({ ...request, xml: theirXml({ name: '', style }, zoom), strict: false });
    assert.deepEqual(difference(ours.pixels, theirs.pixels), { pixels: 0, most: 0 }, style);
  }
});

test('independent filters do not multiply between symbolizers', () => {
  const parts = Array.from({ length: 40 }, (_, i) => `[c${i}=1] { i${i}/line-width: ${i + 1} }`);
  const compiled = compileLayerStyle(`#x { ${parts.join(' ')} }`, {
    code: 'x',
    classes: [],
    columns: undefined,
  });
  assert.deepEqual(
    compiled.rules.map((style) => [style.mode, style.rules.length]),
    [['all', 40]],
  );
});

test('blocks with equal filters, and filters that follow from others, do not multiply', () => {
  const bare = { code: 'x', classes: [], columns: undefined };
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const equal = names.map((name, i) => `#x[a=1][b=2] { ${name}/line-width: ${i + 1} }`);
  const rising = names.map((name, i) => `#x[a>${i}] { ${name}/line-color: red }`);
  const counts = (style: string): number[] =>
    compileLayerStyle(style, bare).rules.map((part) => part.rules.length);
  assert.deepEqual(counts(equal.join('\n')), [1]);
  assert.deepEqual(counts(rising.join('\n')), [8]);
  assert.deepEqual(counts(rising.reverse().join('\n')), [8]);
});

test('filters of one symbolizer that multiply are reported, not computed forever', () => {
  const properties = [
    'color: red',
    'width: 2',
    'opacity: .5',
    'cap: round',
    'join: round',
    'gamma: .5',
    'offset: 3',
    'smooth: .5',
    'simplify: 1',
    'clip: true',
    'miterlimit: 3',
    'rasterizer: full',
  ];
  const parts = properties.map((property, i) => `[c${i}=1] { line-${property} }`);
  const bare = { code: 'x', classes: [], columns: undefined };
  assert.deepEqual(checkLayerStyle(`#x { ${parts.slice(0, 10).join(' ')} }`, bare), []);
  const problems = checkLayerStyle(`#x { ${parts.join(' ')} }`, bare);
  assert.equal(problems.length, 1);
  assert.match(problems[0]?.message ?? '', /too many rules: one for each combination/);
});

test('many values of one column and many zoom levels stay small', () => {
  const values = Array.from(
    { length: 300 },
    (_, i) => `[type='t${i}'] { polygon-fill: #${(i + 256).toString(16).slice(-3).padStart(3, '0')} }`,
  );
  const zooms = Array.from({ length: 20 }, (_, i) => `[zoom>=${i}] { line-width: ${i + 1} }`);
  const compiled = compileLayerStyle(
    `#x { polygon-opacity: .5; ${values.join('\n')} b/line-cap: round; }\n#x::l { ${zooms.join(' ')} }`,
    layer,
  );
  const counts = compiled.rules.map((style) => style.rules.length);
  assert.deepEqual(counts, [301, 20]);
});

test('few filters and few instances do not multiply to many settings', () => {
  const times = (count: number, text: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => text(i)).join(' ');
  const styleOf = (count: number) =>
    `#a { ${times(count, (i) => `x${i}/marker-width: 3;`)} } ${times(count, (i) => `#a[pop > ${i}] { x${i}/marker-width: ${i}; }`)}`;
  assert.deepEqual(checkLayerStyle(styleOf(100), { code: 'a', classes: [], columns: undefined }), []);
  const [problem] = checkLayerStyle(styleOf(300), { code: 'a', classes: [], columns: undefined });
  assert.match(problem?.message ?? '', /too many rules: one for each combination/);
});

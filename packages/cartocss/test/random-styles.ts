/** Random valid styles from a seed, with deep nesting and many overlapping filters. */
export type Random = () => number;

/** Numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T;

/**
 * `plain`: omits input that carto compiles wrongly. carto orders null among numbers. In carto, `>=` with `!=` on one column
 * changes a filter for all blocks, and the last filter of `[a>5][a>2]` wins.
 */
export function randomStyle(random: Random, plain: boolean): string {
  const filters: (() => string)[] = [
    () => `[a=${pick(random, [0, 1])}]`,
    () =>
      `[b${pick(random, plain ? ['=', '>', '<', '>=', '<='] : ['=', '!=', '>', '<', '>=', '<='])}${pick(random, [0, 1, 2])}]`,
    () => `[pop${pick(random, ['<', '>', '<=', '>='])}${pick(random, [20, 37, 50, 74])}]`,
    () => `[type${pick(random, ['=', '!='])}'${pick(random, ['road', 'river', 'town'])}']`,
    () => `[zoom${pick(random, ['<', '>', '<=', '>=', '='])}${pick(random, [3, 5, 8, 10, 13])}]`,
    () => `[val${pick(random, ['<', '>='])}${pick(random, [2, 5.5])}]`,
    () => `[flag=${pick(random, [true, false])}]`,
    () => `["mapnik::geometry_type"=${pick(random, ['point', 'polygon', 'linestring'])}]`,
  ];
  if (!plain) filters.push(() => `[val${pick(random, ['=', '!='])}null]`);
  const declarations = [
    'polygon-fill: red',
    'polygon-fill: #0a0',
    'polygon-opacity: .3',
    'polygon-opacity: .6',
    'line-color: purple',
    'line-color: #c60',
    'line-width: 3',
    'line-width: 6',
    'line-cap: round',
    'marker-width: 6',
    'marker-width: 20',
    'marker-fill: lime',
    'marker-fill: pink',
    'dot-width: 3',
    'dot-width: 8',
    'b/line-width: 1',
    'b/line-width: 2',
    'b/line-color: white',
    'b/line-color: cyan',
  ];
  if (!plain) declarations.push('line: none', 'polygon: none', 'dot: auto', 'opacity: .5');
  const selector = (depth: number): string => {
    let text = depth === 0 ? pick(random, ['#x', '#x', '.polygon', '#x.point']) : '';
    const count = Math.floor(random() * 2.2) + (depth > 0 ? 1 : 0);
    const used = new Set<() => string>();
    for (let i = 0; i < count; i++) {
      const filter = pick(random, filters);
      if (!plain || !used.has(filter)) text += filter();
      used.add(filter);
    }
    return text + (random() < (depth === 0 ? 0.2 : 0.05) ? pick(random, ['::p', '::q']) : '');
  };
  const block = (depth: number): string => {
    const selectors = Array.from({ length: random() < 0.2 ? 2 : 1 }, () => selector(depth));
    let body = '';
    const count = 1 + Math.floor(random() * 4);
    for (let i = 0; i < count; i++) {
      body += depth < 3 && random() < 0.3 ? block(depth + 1) : `${pick(random, declarations)}; `;
    }
    return `${selectors.join(', ')} { ${body}} `;
  };
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => block(0)).join('\n');
}

/** Many blocks with different filters and symbolizers: too many for one list of rules. */
export function randomWideStyle(random: Random): string {
  const tests = [
    'a=0',
    'a=1',
    'b>0',
    'b!=2',
    'pop>20',
    'pop<=50',
    "type='road'",
    "type!='town'",
    'val<2',
    'val!=null',
    'flag=true',
    'zoom>4',
    'zoom<=10',
    'd=1',
    'c>=3',
  ];
  const blocks = Array.from({ length: 9 }, (_, i) => {
    const filters = Array.from(
      { length: 1 + Math.floor(random() * 2) },
      () => `[${pick(random, tests)}]`,
    ).join('');
    const other = random() < 0.3 ? Math.floor(random() * 9) : i;
    const more =
      random() < 0.6 ? ` [${pick(random, tests)}] { i${other}/line-cap: round; i${i}/line-width: 7 }` : '';
    const base = random() < 0.3 ? `i${i}/line-opacity: .5; ` : '';
    return `${base}${filters} { i${i}/line-width: ${i + 1};${more} }`;
  });
  return `#x { ${blocks.join('\n')} }`;
}

/**
 * How much a query can make out of little. The planner puts the expressions of a subquery in the place of every reference
 * to its columns: `a || a` over `a || a`, forty times, is an expression of 2^40 terms, for which it takes all memory there
 * is before any limit of time is looked at. So the size of the expressions is reckoned beforehand. Pure.
 */
import type { Tree } from './parser.js';

/** Functions whose result may be longer than all their arguments by a factor. */
const growing: ReadonlySet<string> = new Set(['replace', 'regexp_replace', 'array_to_string']);
const growthOfFunction = 1_000;

export interface Growth {
  /** Terms of the largest expression that stands for a column of the result. */
  weight: number;
  /** Terms of all expressions. */
  total: number;
}

/** Weights of what can stand in FROM: tables, and what WITH names. */
interface Sources {
  tables: ReadonlyMap<string, number>;
  named: ReadonlyMap<string, Growth>;
}

type Node = Tree | undefined;

/** Reckons a tree that `checkTree` has taken. `tables`: the weights of tables by `schema.name`. */
export const growthOf = (tree: Tree, tables: ReadonlyMap<string, number>): Growth =>
  ofSelect(tree.SelectStmt as Tree, { tables, named: new Map() });

function ofSelect(select: Tree, outer: Sources): Growth {
  const named = new Map(outer.named);
  const sources = { ...outer, named };
  let total = 0;
  const add = (growth: Growth): Growth => {
    total += growth.total;
    return growth;
  };
  for (const cte of ((select.withClause as Node)?.ctes ?? []) as { CommonTableExpr: Tree }[]) {
    const { ctename, ctequery } = cte.CommonTableExpr as { ctename: string; ctequery: Tree };
    named.set(ctename, add(ofSelect(ctequery.SelectStmt as Tree, { ...outer, named: new Map(named) })));
  }
  const sides = [select.larg, select.rarg]
    .filter(Boolean)
    .map((side) => add(ofSelect(side as Tree, sources)));
  const from = add(ofFrom(select.fromClause, sources));
  const weights = [1, ...sides.map(({ weight }) => weight)];
  const { targetList, fromClause: _, withClause: __, larg: ___, rarg: ____, ...rest } = select;
  for (const target of [targetList ?? []].flat() as Tree[]) {
    const terms = termsOf(target, from.weight, sources);
    weights.push(terms);
    total += terms;
  }
  total += termsOf(rest, from.weight, sources);
  return { weight: Math.max(...weights), total };
}

/** Of the items of FROM the largest weight, and all terms. */
function ofFrom(items: unknown, sources: Sources): Growth {
  let weight = 1;
  let total = 0;
  const take = (growth: Growth): void => {
    weight = Math.max(weight, growth.weight);
    total += growth.total;
  };
  for (const item of [items ?? []].flat() as Tree[]) {
    const [[kind, node]] = Object.entries(item) as [[string, Tree]];
    if (kind === 'RangeVar') take({ weight: weightOf(node, sources), total: 0 });
    else if (kind === 'RangeSubselect') take(ofSelect((node.subquery as Tree).SelectStmt as Tree, sources));
    else {
      take(ofFrom([node.larg, node.rarg], sources));
      total += termsOf(node.quals, weight, sources);
    }
  }
  return { weight, total };
}

const weightOf = ({ schemaname, relname }: Tree, { tables, named }: Sources): number =>
  schemaname === undefined
    ? (named.get(String(relname))?.weight ?? 1)
    : (tables.get(`${schemaname}.${relname}`) ?? 1);

/** Terms of an expression over columns of a weight; a subquery in it counts with all that it has. */
function termsOf(value: unknown, weight: number, sources: Sources): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + termsOf(item, weight, sources), 0);
  let terms = 0;
  for (const [kind, node] of Object.entries(value as Tree)) {
    if (kind === 'ColumnRef') terms += weight;
    else if (kind === 'SelectStmt') {
      const inner = ofSelect(node as Tree, sources);
      // It may name columns of the query around it.
      terms += inner.total * weight + inner.weight;
    } else terms += termsOf(node, weight, sources) * factorOf(kind, node);
  }
  return terms;
}

function factorOf(kind: string, node: unknown): number {
  if (kind !== 'FuncCall') return 1;
  const names = (node as { funcname: { String: { sval: string } }[] }).funcname;
  return growing.has(names.at(-1)!.String.sval) ? growthOfFunction : 1;
}

/** The names of the tables that a tree reads, with their schemas; of a text of our own making. */
export function tablesOf(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(tablesOf);
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([kind, node]) => {
    if (kind !== 'RangeVar') return tablesOf(node);
    const { schemaname, relname } = node as { schemaname?: string; relname: string };
    return schemaname === undefined ? [] : [`${schemaname}.${relname}`];
  });
}

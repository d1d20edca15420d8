/**
 * Estimates the size of a query's expressions before it runs. The planner substitutes the expressions of a subquery for
 * every reference to its columns. `a || a` over `a || a`, forty times, is an expression of 2^40 terms: planning it exhausts
 * the memory before any time limit applies. Pure.
 */
import type { ParseNode } from './parser.js';

/** Functions whose result may be a multiple of their arguments. */
const growingFunctions: ReadonlySet<string> = new Set(['replace', 'regexp_replace', 'array_to_string']);
const growthOfFunction = 1_000;

export interface ResultGrowth {
  /** Terms of the largest expression of a result column. */
  weight: number;
  /** Terms of all expressions. */
  total: number;
}

/** Weights of the sources of FROM: tables and names of WITH. */
interface Sources {
  tables: ReadonlyMap<string, number>;
  named: ReadonlyMap<string, ResultGrowth>;
}

type Node = ParseNode | undefined;

/** Estimates a tree that `checkTree` has accepted. `tables`: weights by `schema.name`. */
export const growthOf = (tree: ParseNode, tables: ReadonlyMap<string, number>): ResultGrowth =>
  ofSelect(tree.SelectStmt as ParseNode, { tables, named: new Map() });

function ofSelect(select: ParseNode, outer: Sources): ResultGrowth {
  const named = new Map(outer.named);
  const sources = { ...outer, named };
  let total = 0;
  const add = (growth: ResultGrowth): ResultGrowth => {
    total += growth.total;
    return growth;
  };
  for (const cte of ((select.withClause as Node)?.ctes ?? []) as { CommonTableExpr: ParseNode }[]) {
    const { ctename, ctequery } = cte.CommonTableExpr as { ctename: string; ctequery: ParseNode };
    named.set(ctename, add(ofSelect(ctequery.SelectStmt as ParseNode, { ...outer, named: new Map(named) })));
  }
  const sides = [select.larg, select.rarg]
    .filter(Boolean)
    .map((side) => add(ofSelect(side as ParseNode, sources)));
  const from = add(ofFrom(select.fromClause, sources));
  const weights = [1, ...sides.map(({ weight }) => weight)];
  const { targetList, fromClause: _, withClause: __, larg: ___, rarg: ____, ...rest } = select;
  for (const target of [targetList ?? []].flat() as ParseNode[]) {
    const terms = termsOf(target, from.weight, sources);
    weights.push(terms);
    total += terms;
  }
  total += termsOf(rest, from.weight, sources);
  return { weight: Math.max(...weights), total };
}

/** The largest weight of the items of FROM, and the sum of their terms. */
function ofFrom(items: unknown, sources: Sources): ResultGrowth {
  let weight = 1;
  let total = 0;
  const take = (growth: ResultGrowth): void => {
    weight = Math.max(weight, growth.weight);
    total += growth.total;
  };
  for (const item of [items ?? []].flat() as ParseNode[]) {
    const [[kind, node]] = Object.entries(item) as [[string, ParseNode]];
    if (kind === 'RangeVar') take({ weight: weightOf(node, sources), total: 0 });
    else if (kind === 'RangeSubselect')
      take(ofSelect((node.subquery as ParseNode).SelectStmt as ParseNode, sources));
    else {
      take(ofFrom([node.larg, node.rarg], sources));
      total += termsOf(node.quals, weight, sources);
    }
  }
  return { weight, total };
}

const weightOf = ({ schemaname, relname }: ParseNode, { tables, named }: Sources): number =>
  schemaname === undefined
    ? (named.get(String(relname))?.weight ?? 1)
    : (tables.get(`${schemaname}.${relname}`) ?? 1);

/** Terms of an expression over columns of a weight. A subquery counts with all its terms. */
function termsOf(value: unknown, weight: number, sources: Sources): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + termsOf(item, weight, sources), 0);
  let terms = 0;
  for (const [kind, node] of Object.entries(value as ParseNode)) {
    if (kind === 'ColumnRef') terms += weight;
    else if (kind === 'SelectStmt') {
      const inner = ofSelect(node as ParseNode, sources);
      // A subquery may reference columns of the enclosing query.
      terms += inner.total * weight + inner.weight;
    } else terms += termsOf(node, weight, sources) * factorOf(kind, node);
  }
  return terms;
}

function factorOf(kind: string, node: unknown): number {
  if (kind !== 'FuncCall') return 1;
  const names = (node as { funcname: { String: { sval: string } }[] }).funcname;
  return growingFunctions.has(names.at(-1)!.String.sval) ? growthOfFunction : 1;
}

/** The tables that a tree reads, as `schema.name`. For SQL built by the service. */
export function tablesOf(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(tablesOf);
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([kind, node]) => {
    if (kind !== 'RangeVar') return tablesOf(node);
    const { schemaname, relname } = node as { schemaname?: string; relname: string };
    return schemaname === undefined ? [] : [`${schemaname}.${relname}`];
  });
}

import {
  argumentCounts,
  boundedFunctions,
  clockFunctions,
  clockValues,
  collectingAggregates,
  functions,
  integerArguments,
  type NodeField,
  nodeKinds,
  operators,
  types,
} from './allowed.js';
import { fieldMessages, kindMessages } from './messages.js';
import type { ParseNode } from './parser.js';
import { queryProblem } from './problem.js';

/** A layer that the query reads, at a byte offset of its text. */
export interface QueryRelation {
  map: string;
  layer: string;
  byte: number;
  hasAlias: boolean;
}

/** The names in a tree. */
export interface Findings {
  relations: QueryRelation[];
  /** References `alias.column`. The column must exist: PostgreSQL would otherwise call a function of this name. */
  qualified: { name: string; byte: number }[];
  /** Column names defined by the query. */
  named: Set<string>;
}

/** Levels of the tree. Each operator of a chain adds one. */
const depthLimit = 400;

interface Place {
  text: string;
  /** Byte offset of the nearest enclosing node with a location. */
  byte: number;
  depth: number;
  /** Names of WITH that are visible here. */
  scope: ReadonlySet<string>;
  /** The result is stored, so the query may read the clock. */
  isStored: boolean;
  found: Findings;
}

const refuse = (place: Place, what: string): Error => queryProblem(place.text, place.byte, what);

/** Checks that a tree is one SELECT of allowed parts (`allowed.ts`) and returns its names. Throws `query_invalid`. */
export function checkTree(tree: ParseNode, text: string, isStored: boolean): Findings {
  const found: Findings = { relations: [], qualified: [], named: new Set() };
  const place: Place = { text, byte: 0, depth: 0, scope: new Set(), isStored, found };
  if (!('SelectStmt' in tree)) throw refuse(place, 'it must be one SELECT');
  visit(tree, place);
  return found;
}

/** Checks a node with its kind, a list of nodes, or nothing. */
function visit(value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, place);
    return;
  }
  const entries = Object.entries((value ?? {}) as ParseNode);
  if (!entries.length) return;
  const [[kind, node]] = entries as [[string, ParseNode]];
  visitKind(kind, node, place);
}

function visitKind(kind: string, node: ParseNode, outer: Place): void {
  const known = Object.hasOwn(nodeKinds, kind) ? nodeKinds[kind] : undefined;
  const byte = typeof node.location === 'number' && node.location >= 0 ? node.location : outer.byte;
  let place: Place = { ...outer, byte, depth: outer.depth + 1 };
  if (!known) throw refuse(place, kindMessages[kind] ?? `${kind} is not allowed`);
  if (place.depth > depthLimit) throw refuse(place, 'it is nested too deep');
  for (const name of Object.keys(node)) {
    if (!Object.hasOwn(known, name))
      throw refuse(place, fieldMessages[name] ?? `${kind}.${name} is not allowed`);
  }
  if (kind === 'SelectStmt') place = withNames(node, place);
  kindChecks[kind]?.(node, place);
  for (const [name, value] of Object.entries(node)) {
    const field: NodeField = known[name]!;
    if (field === 'nodes') visit(value, place);
    else if (field === 'plain') checkPlain(value, place);
    // `withNames` has checked WITH already, since its names become visible one after the other.
    else if (field !== 'WithClause') visitKind(field, value as ParseNode, place);
  }
}

/** Checks a number, keyword or name. A constant is wrapped in an object. */
function checkPlain(value: unknown, place: Place): void {
  const plain = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  if (plain.some((one) => typeof one === 'object')) throw refuse(place, 'this is not allowed');
}

/** Checks WITH. Each name is visible in the following members and in the statement. */
function withNames(select: ParseNode, place: Place): Place {
  const clause = select.withClause as ParseNode | undefined;
  if (!clause) return place;
  if (clause.recursive)
    throw refuse({ ...place, byte: Number(clause.location ?? place.byte) }, fieldMessages.recursive!);
  for (const name of Object.keys(clause)) {
    if (name !== 'ctes' && name !== 'location') throw refuse(place, `${name} is not allowed`);
  }
  const scope = new Set(place.scope);
  for (const cte of clause.ctes as { CommonTableExpr: ParseNode }[]) {
    visit(cte, { ...place, scope: new Set(scope) });
    const name = String(cte.CommonTableExpr.ctename);
    if (/^pg_/i.test(name)) throw refuse(place, `the name '${name}' is reserved`);
    scope.add(name);
  }
  return { ...place, scope };
}

const namesOf = (list: unknown): string[] =>
  ((list ?? []) as ParseNode[]).map((item) => String((item.String as ParseNode | undefined)?.sval ?? ''));

/** Checks of single kinds, before their fields are visited. */
const kindChecks: Readonly<Record<string, (node: ParseNode, place: Place) => void>> = {
  RangeVar: checkRelation,
  FuncCall: checkFunction,
  TypeName: checkType,
  ColumnRef: checkColumn,
  CommonTableExpr(node, { found }) {
    for (const name of namesOf(node.aliascolnames)) found.named.add(name);
  },
  Alias(node, { found }) {
    for (const name of namesOf(node.colnames)) found.named.add(name);
  },
  ResTarget(node, { found }) {
    if (typeof node.name === 'string') found.named.add(node.name);
  },
  A_Expr(node, place) {
    if (!String(node.kind).includes('BETWEEN')) checkOperator(namesOf(node.name), place);
  },
  SubLink(node, place) {
    if (node.operName) checkOperator(namesOf(node.operName), place);
  },
  SortBy(node, place) {
    if (String(node.sortby_dir) === 'SORTBY_USING') throw refuse(place, fieldMessages.useOp!);
  },
  A_Const(node, place) {
    if ('bsval' in node) throw refuse(place, 'constants of bits are not allowed');
  },
  SQLValueFunction(node, place) {
    if (!clockValues.has(String(node.op))) throw refuse(place, 'this value of the session is not allowed');
    if (!place.isStored) throw refuse(place, noClock);
  },
};

const noClock =
  'a virtual layer depends on data alone, so the clock is not read (a layer of the type material may do that)';

function checkRelation(node: ParseNode, place: Place): void {
  const { schemaname, relname, inh, alias } = node as {
    schemaname?: string;
    relname: string;
    inh?: boolean;
    alias?: unknown;
  };
  if (!inh) throw refuse(place, 'ONLY is not allowed');
  if (schemaname === undefined) {
    if (place.scope.has(relname)) return;
    throw refuse(place, `there is no layer '${relname}': layers are written map_code.layer_code`);
  }
  place.found.relations.push({
    map: schemaname,
    layer: relname,
    byte: place.byte,
    hasAlias: alias !== undefined,
  });
}

function checkFunction(node: ParseNode, place: Place): void {
  const names = namesOf(node.funcname);
  const name = names.at(-1)!;
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  const isClock = clockFunctions.has(name);
  if (!isOwn || !(functions.has(name) || isClock))
    throw refuse(place, `the function ${names.join('.')} is not allowed`);
  if (isClock && !place.isStored) throw refuse(place, noClock);
  if (node.over && collectingAggregates.has(name))
    throw refuse(place, `the function ${name} is not allowed as a window: it would be made for each row`);
  const given = ((node.args ?? []) as ParseNode[]).length;
  const [min, max] = argumentCounts[name] ?? [0, 100];
  if (given < min || given > max)
    throw refuse(place, `the function ${name} takes ${min === max ? max : `at most ${max}`} arguments here`);
  if (names.length === 2 && boundedFunctions.has(name)) checkSqlForm(name, node, place);
  checkIntegerArgument(name, node.args as ParseNode[] | undefined, place);
}

/** Longest constant that the forms of SQL of `trim` and `position` look for, characters. */
const soughtLimit = 100;

/** `trim(both 'x' from y)` and `position('x' in y)`. */
function checkSqlForm(name: string, node: ParseNode, place: Place): void {
  const [, sought] = (node.args ?? []) as ParseNode[];
  const isForm = String(node.funcformat).endsWith('SQL_SYNTAX');
  if (!isForm) throw refuse(place, `the function ${name} is written without pg_catalog`);
  const { sval } = (sought?.A_Const ?? {}) as { sval?: { sval?: string } };
  if (sought && !(sval && (sval.sval ?? '').length <= soughtLimit))
    throw refuse(
      place,
      name === 'position'
        ? `position looks for a constant of at most ${soughtLimit} characters: write strpos(text, part) otherwise`
        : `trim removes the characters of a constant of at most ${soughtLimit}: write ${name}(text, characters) otherwise`,
    );
}

function checkIntegerArgument(name: string, [, second]: readonly ParseNode[] = [], place: Place): void {
  const limit = integerArguments[name];
  if (!limit || !second) return;
  const number = wholeNumber(second);
  if (number === undefined)
    throw refuse(place, `the ${limit.name} of ${name} must be a number that is written out`);
  if (number > limit.max) throw refuse(place, `the ${limit.name} of ${name} must be at most ${limit.max}`);
}

/** The parser omits the value of zero. */
function wholeNumber(node: ParseNode): number | undefined {
  const { ival } = (node.A_Const ?? {}) as { ival?: { ival?: number } };
  return ival && (ival.ival ?? 0);
}

const isWholeNumber = (node: ParseNode): boolean => wholeNumber(node) !== undefined;

function checkOperator(names: readonly string[], place: Place): void {
  const [name] = names;
  if (names.length !== 1 || !operators.has(name!))
    throw refuse(place, `the operator ${names.join('.')} is not allowed`);
}

/** A cast to char(n) pads each value to its length. */
const typeLengthLimit = 10_000;

function checkType(node: ParseNode, place: Place): void {
  const names = namesOf(node.names);
  const name = names.at(-1)!;
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  if (!isOwn || !types.has(name)) throw refuse(place, `the type ${names.join('.')} is not allowed`);
  const typmods = (node.typmods ?? []) as ParseNode[];
  if (!typmods.every(isWholeNumber))
    throw refuse(place, `the type ${name} is written without more in brackets`);
  if (typmods.some((typmod) => wholeNumber(typmod)! > typeLengthLimit))
    throw refuse(place, `the length of the type ${name} must be at most ${typeLengthLimit}`);
}

function checkColumn(node: ParseNode, place: Place): void {
  const parts = node.fields as ParseNode[];
  if (parts.length > 2) throw refuse(place, 'columns are written layer.column, or alias.column');
  const last = parts.at(-1)!;
  if (parts.length === 2 && 'String' in last)
    place.found.qualified.push({ name: namesOf([last])[0]!, byte: place.byte });
}

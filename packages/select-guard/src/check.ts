import {
  argumentCounts,
  clockFunctions,
  clockValues,
  collecting,
  type Field,
  functions,
  nodeKinds,
  numberedProjection,
  operators,
  types,
} from './allowed.js';
import type { Tree } from './parser.js';
import { queryProblem } from './problem.js';

/** A layer that the query reads, at a byte of its text. */
export interface Relation {
  map: string;
  layer: string;
  byte: number;
  hasAlias: boolean;
}

/** What a tree reads and names. */
export interface Findings {
  relations: Relation[];
  /** `alias.column`: the column must be one of the query, since a function could be called so. */
  qualified: { name: string; byte: number }[];
  /** Names of columns that the query itself gives. */
  named: Set<string>;
}

/** Most levels of the tree: each operator of a chain is one. */
const deepest = 400;

interface Place {
  text: string;
  /** The byte of the nearest node around that knows its own. */
  byte: number;
  depth: number;
  /** Names of WITH that hold here. */
  scope: ReadonlySet<string>;
  /** Whether the result is stored, so that the clock may be read. */
  isStored: boolean;
  found: Findings;
}

const refuse = (place: Place, what: string): Error => queryProblem(place.text, place.byte, what);

/** Checks that a tree is one SELECT of what is allowed (`allowed.ts`), and gives what it reads. Throws `query_invalid`. */
export function checkTree(tree: Tree, text: string, isStored: boolean): Findings {
  const found: Findings = { relations: [], qualified: [], named: new Set() };
  const place: Place = { text, byte: 0, depth: 0, scope: new Set(), isStored, found };
  if (!('SelectStmt' in tree)) throw refuse(place, 'it must be one SELECT');
  visit(tree, place);
  return found;
}

/** A node with its kind, a list of them, or nothing. */
function visit(value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, place);
    return;
  }
  const entries = Object.entries((value ?? {}) as Tree);
  if (!entries.length) return;
  const [[kind, node]] = entries as [[string, Tree]];
  visitKind(kind, node, place);
}

const sayings: Readonly<Record<string, string>> = {
  IntoClause: 'SELECT INTO is not allowed',
  LockingClause: 'FOR UPDATE and FOR SHARE are not allowed',
  RangeFunction: 'functions in FROM are not allowed',
  ParamRef: 'parameters ($1) are not allowed',
  A_Indirection: 'parts of values (x).y and x[1] are not allowed',
  CollateClause: 'COLLATE is not allowed',
  InsertStmt: 'it must only read',
  UpdateStmt: 'it must only read',
  DeleteStmt: 'it must only read',
  MergeStmt: 'it must only read',
};

const spoken: Readonly<Record<string, string>> = {
  intoClause: sayings.IntoClause!,
  lockingClause: sayings.LockingClause!,
  recursive: 'WITH RECURSIVE is not allowed',
  func_variadic: 'VARIADIC is not allowed',
  setof: 'SETOF is not allowed',
  pct_type: '%TYPE is not allowed',
  useOp: 'ORDER BY USING is not allowed',
};

function visitKind(kind: string, node: Tree, outer: Place): void {
  const known = Object.hasOwn(nodeKinds, kind) ? nodeKinds[kind] : undefined;
  const byte = typeof node.location === 'number' && node.location >= 0 ? node.location : outer.byte;
  let place: Place = { ...outer, byte, depth: outer.depth + 1 };
  if (!known) throw refuse(place, sayings[kind] ?? `${kind} is not allowed`);
  if (place.depth > deepest) throw refuse(place, 'it is nested too deep');
  for (const name of Object.keys(node)) {
    if (!Object.hasOwn(known, name)) throw refuse(place, spoken[name] ?? `${kind}.${name} is not allowed`);
  }
  if (kind === 'SelectStmt') place = withNames(node, place);
  judges[kind]?.(node, place);
  for (const [name, value] of Object.entries(node)) {
    const field: Field = known[name]!;
    if (field === 'nodes') visit(value, place);
    else if (field === 'plain') checkPlain(value, place);
    // Looked at already, in the order in which its names come to hold.
    else if (field !== 'WithClause') visitKind(field, value as Tree, place);
  }
}

/** A number, word or name; a constant is one in an object. */
function checkPlain(value: unknown, place: Place): void {
  const plain = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  if (plain.some((one) => typeof one === 'object')) throw refuse(place, 'this is not allowed');
}

/** WITH: each name holds in what follows it, and in the statement itself. */
function withNames(select: Tree, place: Place): Place {
  const clause = select.withClause as Tree | undefined;
  if (!clause) return place;
  if (clause.recursive)
    throw refuse({ ...place, byte: Number(clause.location ?? place.byte) }, spoken.recursive!);
  for (const name of Object.keys(clause)) {
    if (name !== 'ctes' && name !== 'location') throw refuse(place, `${name} is not allowed`);
  }
  const scope = new Set(place.scope);
  for (const cte of clause.ctes as { CommonTableExpr: Tree }[]) {
    visit(cte, { ...place, scope: new Set(scope) });
    const name = String(cte.CommonTableExpr.ctename);
    if (/^pg_/i.test(name)) throw refuse(place, `the name '${name}' is reserved`);
    scope.add(name);
  }
  return { ...place, scope };
}

const namesOf = (list: unknown): string[] =>
  ((list ?? []) as Tree[]).map((item) => String((item.String as Tree | undefined)?.sval ?? ''));

/** What is special about kinds, before their fields are visited. */
const judges: Readonly<Record<string, (node: Tree, place: Place) => void>> = {
  RangeVar: judgeRelation,
  FuncCall: judgeFunction,
  TypeName: judgeType,
  ColumnRef: judgeColumn,
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
    if (!String(node.kind).includes('BETWEEN')) judgeOperator(namesOf(node.name), place);
  },
  SubLink(node, place) {
    if (node.operName) judgeOperator(namesOf(node.operName), place);
  },
  SortBy(node, place) {
    if (String(node.sortby_dir) === 'SORTBY_USING') throw refuse(place, spoken.useOp!);
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

function judgeRelation(node: Tree, place: Place): void {
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

function judgeFunction(node: Tree, place: Place): void {
  const names = namesOf(node.funcname);
  const name = names.at(-1)!;
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  const isClock = clockFunctions.has(name);
  if (!isOwn || !(functions.has(name) || isClock))
    throw refuse(place, `the function ${names.join('.')} is not allowed`);
  if (isClock && !place.isStored) throw refuse(place, noClock);
  if (node.over && collecting.has(name))
    throw refuse(place, `the function ${name} is not allowed as a window: it would be made for each row`);
  const given = ((node.args ?? []) as Tree[]).length;
  const [least, most] = argumentCounts[name] ?? [0, 100];
  if (given < least || given > most)
    throw refuse(
      place,
      `the function ${name} takes ${least === most ? most : `at most ${most}`} arguments here`,
    );
  if (numberedProjection.has(name) && !isWholeNumber((node.args as Tree[])[1]!))
    throw refuse(place, `the projection of ${name} must be a number, such as 4326`);
}

const isWholeNumber = (node: Tree): boolean =>
  typeof (node.A_Const as { ival?: { ival?: number } } | undefined)?.ival?.ival === 'number';

function judgeOperator(names: readonly string[], place: Place): void {
  const [name] = names;
  if (names.length !== 1 || !operators.has(name!))
    throw refuse(place, `the operator ${names.join('.')} is not allowed`);
}

function judgeType(node: Tree, place: Place): void {
  const names = namesOf(node.names);
  const name = names.at(-1)!;
  const isOwn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog');
  if (!isOwn || !types.has(name)) throw refuse(place, `the type ${names.join('.')} is not allowed`);
  const typmods = (node.typmods ?? []) as Tree[];
  if (!typmods.every(isWholeNumber))
    throw refuse(place, `the type ${name} is written without more in brackets`);
}

function judgeColumn(node: Tree, place: Place): void {
  const parts = node.fields as Tree[];
  if (parts.length > 2) throw refuse(place, 'columns are written layer.column, or alias.column');
  const last = parts.at(-1)!;
  if (parts.length === 2 && 'String' in last)
    place.found.qualified.push({ name: namesOf([last])[0]!, byte: place.byte });
}

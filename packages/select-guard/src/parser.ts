import { createRequire } from 'node:module';
import type { ScanToken } from 'libpg-query';
import { queryProblem } from './problem.js';

type Parser = typeof import('libpg-query');

/** A node of PostgreSQL's parse tree as JSON: `{ "SelectStmt": { … } }`, https://github.com/pganalyze/libpg_query. */
export type Tree = Readonly<Record<string, unknown>>;

/** A token; `start` and `end` are offsets in the bytes of the text in UTF-8. */
export type Token = Pick<ScanToken, 'start' | 'end' | 'text' | 'tokenType' | 'tokenName'>;

let loading: Promise<Parser> | undefined;

/** PostgreSQL's own parser, compiled to WebAssembly; it is loaded when it is first needed. */
function loadParser(): Promise<Parser> {
  loading ??= (async () => {
    const parser = createRequire(import.meta.url)('libpg-query') as Parser;
    await parser.loadModule();
    return parser;
  })();
  return loading;
}

/**
 * Most tokens of a query. The parser builds its tree by recursion: a chain of 20,000 operators is more than its stack
 * holds, one of 5,000 is not.
 */
const mostTokens = 5_000;

/** Names and texts with escapes of Unicode (`U&"…"`, UIDENT and USCONST of gram.y): nobody sees what they say. */
const unicodeTokens = new Set([259, 262]);
const comments = new Set(['SQL_COMMENT', 'C_COMMENT']);

export interface Parsed {
  tree: Tree;
  /** Without comments. */
  tokens: readonly Token[];
}

/** The tree of the one statement of a text of at most so many words and signs. Throws `query_invalid` with the place of the mistake. */
export async function parseStatement(text: string, most = mostTokens): Promise<Parsed> {
  const parser = await loadParser();
  const tokens = read(text, () => parser.scanSync(text)).tokens.filter(
    ({ tokenName }) => !comments.has(tokenName),
  );
  if (tokens.length > most)
    throw queryProblem(text, 0, `it has ${tokens.length} words and signs; at most ${most} are taken`);
  const escaped = tokens.find(({ tokenType }) => unicodeTokens.has(tokenType));
  if (escaped) throw queryProblem(text, escaped.start, 'names and texts with U& are not taken');
  if (!tokens.length) throw queryProblem(text, 0, 'it is empty');
  const { stmts } = read(text, () => parser.parseSync(text)) as { stmts?: { stmt: Tree }[] };
  const [first, second] = (stmts ?? []) as { stmt: Tree; stmt_location?: number }[];
  if (second) throw queryProblem(text, second.stmt_location ?? 0, 'it must be one SELECT and no more');
  if (!first) throw queryProblem(text, 0, 'it is empty');
  return { tree: first.stmt, tokens };
}

/** What the parser says of a text that it cannot read, at the character that it names. */
function read<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message, sqlDetails } = error as Error & { sqlDetails?: { cursorPosition: number } };
    const at = Math.max(0, sqlDetails?.cursorPosition ?? 0);
    const isSyntax = !(error instanceof RangeError) && !message.startsWith('memory exhausted');
    const bytes = Buffer.byteLength([...text].slice(0, at).join(''));
    throw queryProblem(text, bytes, isSyntax ? message : 'it is nested too deep');
  }
}

import { createRequire } from 'node:module';
import type { ScanToken } from 'libpg-query';
import { queryProblem } from './problem.js';

type Parser = typeof import('libpg-query');

/** A node of PostgreSQL's parse tree as JSON: `{ "SelectStmt": { … } }`, https://github.com/pganalyze/libpg_query. */
export type ParseNode = Readonly<Record<string, unknown>>;

/** A token. `start` and `end` are byte offsets of the text in UTF-8. */
export type Token = Pick<ScanToken, 'start' | 'end' | 'text' | 'tokenType' | 'tokenName'>;

let loading: Promise<Parser> | undefined;

/** Loads PostgreSQL's parser, compiled to WebAssembly, on first use. */
function loadParser(): Promise<Parser> {
  loading ??= (async () => {
    const parser = createRequire(import.meta.url)('libpg-query') as Parser;
    await parser.loadModule();
    return parser;
  })();
  return loading;
}

/**
 * Tokens of a query. The parser builds its tree by recursion: a chain of 20,000 operators overflows its stack, one of 5,000
 * does not.
 */
const defaultTokenLimit = 5_000;

/** Names and texts with Unicode escapes (`U&"…"`; UIDENT and USCONST of gram.y). They are refused, since escapes hide their content. */
const unicodeTokens = new Set([259, 262]);
const comments = new Set(['SQL_COMMENT', 'C_COMMENT']);

export interface Parsed {
  tree: ParseNode;
  /** Without comments. */
  tokens: readonly Token[];
}

/** Parses a text of one statement and at most `tokenLimit` tokens. Throws `query_invalid` with the place of the mistake. */
export async function parseStatement(text: string, tokenLimit = defaultTokenLimit): Promise<Parsed> {
  // The parser ends a text at NUL, and fails on an empty one.
  const nul = text.indexOf('\0');
  if (nul >= 0) throw queryProblem(text, Buffer.byteLength(text.slice(0, nul)), 'NUL is not allowed');
  if (!text) throw queryProblem(text, 0, 'it is empty');
  const parser = await loadParser();
  const tokens = read(text, () => scan(parser, text)).filter(({ tokenName }) => !comments.has(tokenName));
  if (tokens.length > tokenLimit)
    throw queryProblem(text, 0, `it has ${tokens.length} words and signs; at most ${tokenLimit} are taken`);
  const escaped = tokens.find(({ tokenType }) => unicodeTokens.has(tokenType));
  if (escaped) throw queryProblem(text, escaped.start, 'names and texts with U& are not taken');
  if (!tokens.length) throw queryProblem(text, 0, 'it is empty');
  const { stmts } = read(text, () => parser.parseSync(text)) as { stmts?: { stmt: ParseNode }[] };
  const [first, second] = (stmts ?? []) as { stmt: ParseNode; stmt_location?: number }[];
  if (second) throw queryProblem(text, second.stmt_location ?? 0, 'it must be one SELECT and no more');
  if (!first) throw queryProblem(text, 0, 'it is empty');
  return { tree: first.stmt, tokens };
}

/** The scanner fails without saying why; the parser fails at the same place, and says it. */
function scan(parser: Parser, text: string): ScanToken[] {
  try {
    return parser.scanSync(text).tokens;
  } catch {
    parser.parseSync(text);
    throw new Error('it cannot be read');
  }
}

/** Runs the parser and converts its error to `query_invalid` at the character that it reports. */
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

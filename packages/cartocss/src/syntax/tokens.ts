import type { Problems } from './problems.js';

/** A scanner over a text. There is no separate tokenizer, since the meaning of `#fff` depends on its place. */
export interface Scanner {
  readonly text: string;
  readonly problems: Problems;
  at: number;
  /** Open blocks and brackets. */
  depth: number;
  /** Operators so far in the statement. */
  operations: number;
}

/** Characters (UTF-16 units) of one style text. */
export const maxTextLength = 256 * 1024;
/** Open blocks and brackets. */
export const maxDepth = 32;
/** Operators in one statement: the depth of recursion grows with the terms of a sum. */
export const maxOperations = 300;

export const scan = (text: string, problems: Problems): Scanner => ({
  text,
  problems,
  at: 0,
  depth: 0,
  operations: 0,
});

// None of these patterns backtracks: consecutive parts have no character in common.
const blank = /[\s\uFEFF]+/y;
const lineComment = /[^\n\r]*/y;
// Letters of every script, so that a column name in any script or a misspelt selector is one word.
const name = /[\p{L}\p{N}\p{M}_-]+/uy;
const word = /[\p{L}_-][\p{L}\p{N}\p{M}_-]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?/y;
const unit = /%|[\p{L}_]+/uy;

/** Matches a pattern (flag `y`) at the current position and moves past it. */
export function takeToken(s: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = s.at;
  const found = pattern.exec(s.text)?.[0];
  if (found !== undefined) s.at += found.length;
  return found === '' ? undefined : found;
}

export const takeName = (s: Scanner): string | undefined => takeToken(s, name);
export const takeWord = (s: Scanner): string | undefined => takeToken(s, word);
export const takeNumber = (s: Scanner): string | undefined => takeToken(s, number);
export const takeUnit = (s: Scanner): string | undefined => takeToken(s, unit);

/** Moves past `token` if it is next. */
export function acceptToken(s: Scanner, token: string): boolean {
  if (!s.text.startsWith(token, s.at)) return false;
  s.at += token.length;
  return true;
}

export const isAtEnd = (s: Scanner): boolean => s.at >= s.text.length;
export const peek = (s: Scanner, ahead = 0): string => s.text.charAt(s.at + ahead);

/** Skips spaces and comments. Returns whether there were any. */
export function skipSpace(s: Scanner): boolean {
  const start = s.at;
  for (;;) {
    takeToken(s, blank);
    if (s.text.startsWith('//', s.at)) {
      takeToken(s, lineComment);
    } else if (s.text.startsWith('/*', s.at)) {
      const end = s.text.indexOf('*/', s.at + 2);
      if (end < 0) {
        s.problems.add(s.at, 'this comment is not closed', '*/');
        s.at = s.text.length;
      } else s.at = end + 2;
    } else return s.at > start;
  }
}

/**
 * Reads the text between quotes with its backslashes. An unclosed string is a problem: it ends at the end of the line, before
 * trailing `;` and `}`.
 */
export function takeString(s: Scanner): string | undefined {
  const quote = peek(s);
  if (quote !== '"' && quote !== "'") return undefined;
  const start = s.at + 1;
  for (let i = start; ; i++) {
    const c = s.text.charAt(i);
    if (c === quote) {
      s.at = i + 1;
      return s.text.slice(start, i);
    }
    if (c === '' || c === '\n' || c === '\r') {
      s.problems.add(s.at, 'this string is not closed', quote);
      let end = i;
      while (end > start && ';} \t'.includes(s.text.charAt(end - 1))) end--;
      s.at = end;
      return s.text.slice(start, end);
    }
    if (c === '\\' && !/[\n\r]/.test(s.text.charAt(i + 1))) i++;
  }
}

/** The next word or character, shortened, for a message. */
export function describeHere(s: Scanner): string {
  if (isAtEnd(s)) return 'the end of the style';
  const at = s.at;
  const found = takeName(s) ?? String.fromCodePoint(s.text.codePointAt(at) as number);
  s.at = at;
  if (found === "'") return `"'"`;
  return `'${found.length > 40 ? `${found.slice(0, 40)}…` : found}'`;
}

// XML cannot contain control characters (except tab, line feed and carriage return) or unpaired surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects them
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF\p{Surrogate}]/u;

/** The offset of the first character that is not allowed in XML, or -1. */
export const findForbidden = (text: string): number => text.search(forbidden);

/** Moves to the `;` or `}` that ends the faulty statement, and past a block that opens before it. */
export function recover(s: Scanner): void {
  const start = s.at;
  let depth = 0;
  while (!isAtEnd(s)) {
    const c = peek(s);
    if (c === '"' || c === "'") skipQuoted(s);
    else if (c === '/' && (peek(s, 1) === '/' || peek(s, 1) === '*')) skipSpace(s);
    else if (c === '{') {
      depth++;
      s.at++;
    } else if (c === '}') {
      if (depth === 0) return;
      s.at++;
      if (--depth === 0) return;
    } else {
      s.at++;
      if (c === ';' && depth === 0 && s.at > start) return;
    }
  }
}

/** Skips a string, or only the quote of an unclosed string, which is already reported. */
function skipQuoted(s: Scanner): void {
  const quote = peek(s);
  for (let i = s.at + 1; i < s.text.length; i++) {
    const c = s.text.charAt(i);
    if (c === '\n' || c === '\r') break;
    if (c === '\\') i++;
    else if (c === quote) {
      s.at = i + 1;
      return;
    }
  }
  s.at++;
}

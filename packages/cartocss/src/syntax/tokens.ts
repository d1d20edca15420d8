import type { Problems } from './problems.js';

/** A place in a text that moves forward. CartoCSS needs no list of tokens: what `#fff` is depends on where it stands. */
export interface Scanner {
  readonly text: string;
  readonly problems: Problems;
  at: number;
  /** Open blocks and brackets. */
  depth: number;
  /** Operators in the statement so far. */
  operations: number;
}

/** Characters (UTF-16 units) of one style text. */
export const maxTextLength = 256 * 1024;
/** Open blocks and brackets. */
export const maxDepth = 32;
/** Operators in one statement: a sum of a thousand terms would be a thousand calls deep. */
export const maxOperations = 300;

export const scan = (text: string, problems: Problems): Scanner => ({
  text,
  problems,
  at: 0,
  depth: 0,
  operations: 0,
});

// Each of these matches in one pass: no part of them can take a character that the part before it could give back.
const blank = /[\s\uFEFF]+/y;
const lineComment = /[^\n\r]*/y;
// Letters of every script, so that a foreign column name or a misspelt selector is read as one word.
const name = /[\p{L}\p{N}\p{M}_-]+/uy;
const word = /[\p{L}_-][\p{L}\p{N}\p{M}_-]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?/y;
const unit = /%|[\p{L}_]+/uy;

/** Moves over what the pattern (with flag `y`) matches here. */
export function take(s: Scanner, pattern: RegExp): string | undefined {
  pattern.lastIndex = s.at;
  const found = pattern.exec(s.text)?.[0];
  if (found !== undefined) s.at += found.length;
  return found === '' ? undefined : found;
}

export const takeName = (s: Scanner): string | undefined => take(s, name);
export const takeWord = (s: Scanner): string | undefined => take(s, word);
export const takeNumber = (s: Scanner): string | undefined => take(s, number);
export const takeUnit = (s: Scanner): string | undefined => take(s, unit);

/** Moves over `token` when it stands here. */
export function accept(s: Scanner, token: string): boolean {
  if (!s.text.startsWith(token, s.at)) return false;
  s.at += token.length;
  return true;
}

export const ended = (s: Scanner): boolean => s.at >= s.text.length;
export const peek = (s: Scanner, ahead = 0): string => s.text.charAt(s.at + ahead);

/** Moves over blanks and comments; whether there were any. */
export function skipSpace(s: Scanner): boolean {
  const start = s.at;
  for (;;) {
    take(s, blank);
    if (s.text.startsWith('//', s.at)) {
      take(s, lineComment);
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
 * The text between quotes, with its backslashes. An unclosed string is a problem; it ends with its line, before the `;`
 * and `}` there, which were hardly meant to be a part of it.
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

/** What stands here, short, for a message. */
export function describeHere(s: Scanner): string {
  if (ended(s)) return 'the end of the style';
  const at = s.at;
  const found = takeName(s) ?? String.fromCodePoint(s.text.codePointAt(at) as number);
  s.at = at;
  if (found === "'") return `"'"`;
  return `'${found.length > 40 ? `${found.slice(0, 40)}…` : found}'`;
}

// Tab, line feed and carriage return are blanks; other control characters and halves of pairs cannot be written to XML.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF\p{Surrogate}]/u;

/** The offset of the first character that no XML can hold, or -1. */
export const findForbidden = (text: string): number => text.search(forbidden);

/** Moves to the `;` or `}` that ends the faulty statement; over a whole block when one opens before. */
export function recover(s: Scanner): void {
  const start = s.at;
  let depth = 0;
  while (!ended(s)) {
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

/** Over a string, or over the quote alone when the string is not closed (this was told already). */
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

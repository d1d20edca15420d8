import { findForbidden } from '../syntax/tokens.js';
import { unescapePattern, unescapeText } from '../values/text.js';
import { checkPattern } from './pattern.js';

/** A mistake in an expression. `at` is an offset in its text. */
export interface ExpressionFault {
  at: number;
  message: string;
  expected?: string;
}

/** The state of a parser of one expression. */
export interface State {
  readonly text: string;
  at: number;
  depth: number;
  size: number;
}

/** Aborts parsing. `parseExpression` catches it. */
export class Fault extends Error {
  constructor(readonly fault: ExpressionFault) {
    super(fault.message);
  }
}

export const stop = (at: number, message: string, expected?: string): never => {
  throw new Fault(expected === undefined ? { at, message } : { at, message, expected });
};

const space = /\s*/y;
export const identifier = /[\p{L}_][\p{L}\p{N}_]*/uy;
export const decimal = /\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?/y;
export const column = /\[([^[\]\n\r]+)\]/y;
// Each character determines the alternative, so these patterns never backtrack.
const text1 = /'((?:[^'\\]|\\[\s\S])*)'/y;
const text2 = /"((?:[^"\\]|\\[\s\S])*)"/y;
export const notWord = /not\b|!(?!=)/y;
export const logicalWord = /and\b|or\b|&&|\|\|/y;
export const equalityWord = /!=|<>|neq\b|=|eq\b|is\b/y;
export const relationWord = /<=|le\b|<(?!>)|lt\b|>=|ge\b|>|gt\b/y;
export const sumWord = /[-+]/y;
export const productWord = /[*/%]/y;

/** Matches a pattern (flag `y`) at the current position and moves past it and the following spaces. */
export function match(s: State, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = s.at;
  const found = pattern.exec(s.text);
  if (found === null) return undefined;
  s.at += found[0].length;
  skip(s);
  return found;
}

export function skip(s: State): void {
  space.lastIndex = s.at;
  s.at += space.exec(s.text)?.[0].length ?? 0;
}

/** The current character, for a message. */
export function here(s: State): string {
  if (s.at >= s.text.length) return 'the end';
  const c = String.fromCodePoint(s.text.codePointAt(s.at) as number);
  return c === "'" ? `"${c}"` : `'${c}'`;
}

/** Limits the depth of recursion. */
export function deeper<T>(s: State, parse: () => T): T {
  if (++s.depth > 24) stop(s.at, 'the expression is nested too deeply');
  const result = parse();
  s.depth--;
  return result;
}

/** Reads a quoted pattern. */
export function takePattern(s: State): string {
  const at = s.at;
  const raw = (match(s, text1) ?? match(s, text2))?.[1] ?? stop(at, 'expected a pattern in quotes');
  const pattern = unescapePattern(raw);
  const fault = checkPattern(pattern);
  if (fault !== undefined) stop(at, fault);
  return pattern;
}

/** Reads a quoted text and resolves its backslashes. */
export function takeText(s: State): string | undefined {
  const at = s.at;
  const raw = (match(s, text1) ?? match(s, text2))?.[1];
  if (raw === undefined) return undefined;
  const value = unescapeText(raw);
  if (findForbidden(value) >= 0) stop(at, 'the text holds a control character');
  return value;
}

export function expect(s: State, token: string): void {
  if (!s.text.startsWith(token, s.at)) stop(s.at, `expected '${token}' in the expression`);
  s.at++;
  skip(s);
}

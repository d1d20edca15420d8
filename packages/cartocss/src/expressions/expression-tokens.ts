import { checkPattern } from './pattern.js';
import { unescapePattern, unescapeText } from './text.js';
import { findForbidden } from './tokens.js';

/** Where and why a text is no expression. `at` is an offset in that text. */
export interface ExpressionFault {
  at: number;
  message: string;
  expected?: string;
}

/** A place in the text of an expression. */
export interface State {
  readonly text: string;
  at: number;
  depth: number;
  size: number;
}

/** Leaves the expression; caught where its reading began. */
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
// Each way through the quotes is decided by one character.
const text1 = /'((?:[^'\\]|\\[\s\S])*)'/y;
const text2 = /"((?:[^"\\]|\\[\s\S])*)"/y;
export const notWord = /not\b|!(?!=)/y;
export const logicalWord = /and\b|or\b|&&|\|\|/y;
export const equalityWord = /!=|<>|neq\b|=|eq\b|is\b/y;
export const relationWord = /<=|le\b|<(?!>)|lt\b|>=|ge\b|>|gt\b/y;
export const sumWord = /[-+]/y;
export const productWord = /[*/%]/y;

/** What the pattern (with flag `y`) matches here, and moves over it and the blanks after it. */
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

/** What stands here, for a message. */
export function here(s: State): string {
  if (s.at >= s.text.length) return 'the end';
  const c = String.fromCodePoint(s.text.codePointAt(s.at) as number);
  return c === "'" ? `"${c}"` : `'${c}'`;
}

/** Counts how deep the reading is. */
export function deeper<T>(s: State, parse: () => T): T {
  if (++s.depth > 24) stop(s.at, 'the expression is nested too deeply');
  const result = parse();
  s.depth--;
  return result;
}

/** A quoted pattern. */
export function takePattern(s: State): string {
  const at = s.at;
  const raw = (match(s, text1) ?? match(s, text2))?.[1] ?? stop(at, 'expected a pattern in quotes');
  const pattern = unescapePattern(raw);
  const fault = checkPattern(pattern);
  if (fault !== undefined) stop(at, fault);
  return pattern;
}

/** A quoted text, without its backslashes. */
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

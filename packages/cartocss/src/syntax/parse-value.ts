import {
  acceptToken,
  describeHere,
  isAtEnd,
  maxDepth,
  maxOperations,
  peek,
  type Scanner,
  skipSpace,
  takeName,
  takeNumber,
  takeString,
  takeToken,
  takeUnit,
  takeWord,
} from './tokens.js';
import type { ArithmeticOperator, ValueNode } from './tree.js';

/** Thrown after a problem is reported, to abort the faulty statement. `parseItems` catches it. Shared instance: creating an Error captures a stack trace each time. */
export const unparsable = new Error('unparsable');

export function fail(s: Scanner, at: number, message: string, expected?: string): never {
  s.problems.add(at, message, expected);
  throw unparsable;
}

/** The meaning of words: column names in the key of a filter, keywords elsewhere. */
type Mode = 'value' | 'filter-key';

const declarationStart = /@?[\p{L}_-][\p{L}\p{N}_-]*(?:\/[\p{L}\p{N}_-]+)?\s*:(?!:)/uy;
const hexDigits = /[\p{L}\p{N}]+/uy;
const plainName = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy;
const unquotedUrl = /[^\s()'"\\<>]+/y;
const columnName = /[^[\]\n\r]+/y;

/** Whether `name:` is next, so that a `;` is missing before it. */
export function startsDeclaration(s: Scanner): boolean {
  const at = s.at;
  const found = takeToken(s, declarationStart) !== undefined;
  s.at = at;
  return found;
}

/** Reads everything after the `:` of a declaration, up to its `;` or `}`. */
export function parseValue(s: Scanner): ValueNode {
  const at = s.at;
  const items = [parseWords(s)];
  while (acceptToken(s, ',')) {
    skipSpace(s);
    items.push(parseWords(s));
  }
  return items.length === 1 ? (items[0] as ValueNode) : { kind: 'list', at, items };
}

function parseWords(s: Scanner): ValueNode {
  const at = s.at;
  const items = [parseSum(s, 'value')];
  while (startsOperand(s) && !startsDeclaration(s)) items.push(parseSum(s, 'value'));
  return items.length === 1 ? (items[0] as ValueNode) : { kind: 'words', at, items };
}

/** Reads arithmetic. Spaces decide: `2 - 1` and `2-1` subtract, `2 -1` are two values. */
export function parseSum(s: Scanner, mode: Mode): ValueNode {
  let left = parseProduct(s, mode);
  for (;;) {
    const op = peek(s);
    if (op !== '+' && op !== '-') return left;
    if (op === '-' && isBlank(peek(s, -1)) && !isBlank(peek(s, 1))) return left;
    left = parseRight(s, op, left, () => parseProduct(s, mode));
  }
}

function parseProduct(s: Scanner, mode: Mode): ValueNode {
  let left = parseOperand(s, mode);
  for (;;) {
    const op = peek(s);
    if (op !== '*' && op !== '/' && op !== '%') return left;
    left = parseRight(s, op, left, () => parseOperand(s, mode));
  }
}

function parseRight(s: Scanner, op: ArithmeticOperator, left: ValueNode, parse: () => ValueNode): ValueNode {
  const at = s.at;
  if (++s.operations > maxOperations)
    fail(s, at, 'the calculation is too long', `at most ${maxOperations} operators`);
  s.at++;
  skipSpace(s);
  return { kind: 'operation', at, op, left, right: parse() };
}

const isBlank = (c: string): boolean => c === '' || /\s/.test(c);
const isDigit = (c: string): boolean => c >= '0' && c <= '9';
const startsNumber = (s: Scanner, ahead = 0): boolean =>
  isDigit(peek(s, ahead)) || (peek(s, ahead) === '.' && isDigit(peek(s, ahead + 1)));

function startsOperand(s: Scanner): boolean {
  const c = peek(s);
  if (c === '') return false;
  return '#[(@"\'-'.includes(c) || startsNumber(s) || /[\p{L}_]/u.test(c);
}

/** Reads one value and the following spaces. */
function parseOperand(s: Scanner, mode: Mode): ValueNode {
  const node = parseEntity(s, mode);
  skipSpace(s);
  return node;
}

function parseEntity(s: Scanner, mode: Mode): ValueNode {
  const at = s.at;
  const c = peek(s);
  if (startsNumber(s) || (c === '-' && startsNumber(s, 1))) return parseNumber(s);
  if (c === '#') return parseHexColor(s);
  if (c === '[') return parseColumn(s);
  if (c === '(') return parseParentheses(s, mode);
  if (acceptToken(s, '@')) {
    const name = takeName(s);
    return name === undefined
      ? fail(s, at, 'a variable needs a name', '@name')
      : { kind: 'variable', at, name };
  }
  const raw = takeString(s);
  if (raw !== undefined) return { kind: 'string', at, raw };
  if (acceptToken(s, '%(')) return parseCall(s, at, '%');
  if (c === '-' && '[(@'.includes(peek(s, 1) || ' ')) {
    s.at++;
    return nested(s, () => ({ kind: 'negation', at, operand: parseEntity(s, mode) }));
  }
  return parseWordOrCall(s, mode);
}

function parseWordOrCall(s: Scanner, mode: Mode): ValueNode {
  const at = s.at;
  const bare = mode === 'filter-key' ? takeToken(s, plainName) : undefined;
  const name = bare ?? (peek(s) === '-' && !/[\p{L}_]/u.test(peek(s, 1)) ? undefined : takeWord(s));
  if (name === undefined) return fail(s, at, `unexpected ${describeHere(s)}`, 'a value');
  if (acceptToken(s, '(')) return name === 'url' ? parseUrl(s, at) : parseCall(s, at, name);
  if (bare === undefined) return { kind: 'word', at, name };
  return { kind: 'column', at, name: acceptToken(s, '::') ? `${name}::${takeName(s) ?? ''}` : name };
}

function parseNumber(s: Scanner): ValueNode {
  const at = s.at;
  const sign = acceptToken(s, '-') ? -1 : 1;
  const digits = takeNumber(s) ?? '';
  const unit = takeUnit(s) ?? '';
  const value = sign * Number(digits);
  if (!Number.isFinite(value)) fail(s, at, `the number ${digits} is too large`);
  return { kind: 'number', at, value, unit, decimal: /[.eE]/.test(digits) };
}

function parseHexColor(s: Scanner): ValueNode {
  const at = s.at;
  s.at++;
  const digits = takeToken(s, hexDigits) ?? '';
  if (![3, 4, 6, 8].includes(digits.length) || !/^[0-9a-f]*$/i.test(digits)) {
    fail(s, at, `'#${digits.slice(0, 40)}' is not a colour`, '#rgb, #rrggbb or #rrggbbaa');
  }
  return { kind: 'hex-color', at, digits };
}

function parseColumn(s: Scanner): ValueNode {
  const at = s.at;
  s.at++;
  const name = (takeToken(s, columnName) ?? '').trim();
  if (name === '' || !acceptToken(s, ']')) fail(s, at, 'this name of a column is not closed', '[name]');
  return { kind: 'column', at, name };
}

function parseParentheses(s: Scanner, mode: Mode): ValueNode {
  const at = s.at;
  s.at++;
  return nested(s, () => {
    skipSpace(s);
    const inner = parseSum(s, mode);
    if (acceptToken(s, ')')) return inner;
    if (endsValue(s)) return fail(s, at, 'this parenthesis is not closed', ')');
    return fail(s, s.at, `unexpected ${describeHere(s)} in parentheses`, ')');
  });
}

function parseCall(s: Scanner, at: number, name: string): ValueNode {
  return nested(s, () => {
    const args: ValueNode[] = [];
    skipSpace(s);
    if (!acceptToken(s, ')')) {
      do {
        skipSpace(s);
        args.push(parseWords(s));
      } while (acceptToken(s, ','));
      if (!acceptToken(s, ')'))
        fail(s, s.at, `unexpected ${describeHere(s)} in the arguments of ${name}()`, ', or )');
    }
    return { kind: 'call', at, name, args };
  });
}

function parseUrl(s: Scanner, at: number): ValueNode {
  skipSpace(s);
  const start = s.at;
  let name: string | ValueNode | undefined = takeString(s);
  if (name === undefined && acceptToken(s, '@'))
    name = { kind: 'variable', at: start, name: takeName(s) ?? '' };
  // No comments are skipped here: `//` is a part of an address.
  name ??= takeToken(s, unquotedUrl) ?? '';
  skipSpace(s);
  if (!acceptToken(s, ')')) fail(s, at, 'this url( is not closed', 'url(name)');
  return { kind: 'url', at, name };
}

function nested(s: Scanner, parse: () => ValueNode): ValueNode {
  if (s.depth >= maxDepth) fail(s, s.at, `nested deeper than ${maxDepth} levels`);
  s.depth++;
  const node = parse();
  s.depth--;
  return node;
}

/** Whether the value of a declaration ends here. */
export const endsValue = (s: Scanner): boolean => isAtEnd(s) || peek(s) === ';' || peek(s) === '}';

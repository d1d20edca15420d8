import { didYouMean } from '../syntax/problems.js';
import {
  type BinaryOperator,
  type Expression,
  functionArity,
  isConstant,
  maxExpressionSize,
  maxNumber,
} from './expression.js';
import {
  column,
  decimal,
  deeper,
  type ExpressionFault,
  equalityWord,
  expect,
  Fault,
  here,
  identifier,
  logicalWord,
  match,
  notWord,
  productWord,
  relationWord,
  type State,
  skip,
  stop,
  sumWord,
  takePattern,
  takeText,
} from './expression-tokens.js';

export type ParsedExpression = { expression: Expression } | { fault: ExpressionFault };

/**
 * Parses Mapnik's expression language, such as the quoted value `"[a] + ' ' + [b]"`. `and` and `or` have equal precedence
 * and associate to the left, as in Mapnik.
 */
export function parseExpression(text: string): ParsedExpression {
  const s: State = { text, at: 0, depth: 0, size: 0 };
  try {
    skip(s);
    const expression = parseLogical(s);
    if (s.at < text.length) stop(s.at, `unexpected ${here(s)} in the expression`);
    return { expression };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault };
    throw error;
  }
}

const operators: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ['&&', 'and'],
  ['||', 'or'],
  ['<>', '!='],
  ['neq', '!='],
  ['eq', '='],
  ['is', '='],
  ['le', '<='],
  ['lt', '<'],
  ['ge', '>='],
  ['gt', '>'],
]);

function made(s: State, expression: Expression): Expression {
  if (++s.size > maxExpressionSize)
    stop(s.at, 'the expression is too long', `at most ${maxExpressionSize} parts`);
  return expression;
}

/** A left-associative chain of operators of one precedence. */
function chain(s: State, words: RegExp, next: () => Expression): Expression {
  let left = next();
  for (;;) {
    const word = match(s, words)?.[0];
    if (word === undefined) return left;
    left = made(s, {
      kind: 'binary',
      op: operators.get(word) ?? (word as BinaryOperator),
      left,
      right: next(),
    });
  }
}

const parseLogical = (s: State): Expression => chain(s, logicalWord, () => parseNot(s));
const parseNot = (s: State): Expression =>
  match(s, notWord) === undefined
    ? parseEquality(s)
    : deeper(s, () => made(s, { kind: 'unary', op: 'not', operand: parseNot(s) }));
const parseEquality = (s: State): Expression => chain(s, equalityWord, () => parseRelation(s));
const parseRelation = (s: State): Expression => chain(s, relationWord, () => parseSum(s));
const parseSum = (s: State): Expression => chain(s, sumWord, () => parseProduct(s));
const parseProduct = (s: State): Expression => chain(s, productWord, () => parseSigned(s));

function parseSigned(s: State): Expression {
  const sign = match(s, sumWord)?.[0];
  if (sign === undefined) return parsePostfix(s);
  const operand = deeper(s, () => parseSigned(s));
  if (sign === '+') return operand;
  return operand.kind === 'number'
    ? { ...operand, value: -operand.value }
    : made(s, { kind: 'unary', op: '-', operand });
}

const postfix = /\.(match|replace)\s*\(/y;

function parsePostfix(s: State): Expression {
  let target = parsePrimary(s);
  for (;;) {
    const name = match(s, postfix)?.[1];
    if (name === undefined) return target;
    const pattern = takePattern(s);
    if (name === 'match') target = made(s, { kind: 'match', target, pattern });
    else {
      expect(s, ',');
      target = made(s, {
        kind: 'replace',
        target,
        pattern,
        replacement: takeText(s) ?? stop(s.at, 'expected a text in quotes'),
      });
    }
    expect(s, ')');
  }
}

function parsePrimary(s: State): Expression {
  const at = s.at;
  const digits = match(s, decimal)?.[0];
  if (digits !== undefined) {
    const value = Number(digits);
    if (value > maxNumber) stop(at, `the number ${digits.slice(0, 40)} is too large`, `at most ${maxNumber}`);
    return made(s, { kind: 'number', value, decimal: /[.eE]/.test(digits) });
  }
  const name = match(s, column)?.[1]?.trim();
  if (name !== undefined && name !== '') return made(s, { kind: 'column', name });
  const value = takeText(s);
  if (value !== undefined) return made(s, { kind: 'text', value });
  if (s.text.startsWith('(', s.at)) {
    expect(s, '(');
    const inner = deeper(s, () => parseLogical(s));
    expect(s, ')');
    return inner;
  }
  const word = match(s, identifier)?.[0];
  if (word === undefined) {
    const message =
      at < s.text.length ? `unexpected ${here(s)} in the expression` : 'the expression is not complete';
    return stop(at, message, "[column], a number or 'text'");
  }
  if (s.text.startsWith('(', s.at)) return parseCall(s, word, at);
  // Mapnik reads a bare word as a text.
  return made(s, isConstant(word) ? { kind: 'constant', name: word } : { kind: 'text', value: word });
}

function parseCall(s: State, name: string, at: number): Expression {
  const args: Expression[] = [];
  expect(s, '(');
  deeper(s, () => {
    if (!s.text.startsWith(')', s.at)) args.push(parseLogical(s));
    while (s.text.startsWith(',', s.at)) {
      expect(s, ',');
      args.push(parseLogical(s));
    }
  });
  expect(s, ')');
  const called = makeCall(name, args);
  return 'fault' in called
    ? stop(at, called.fault.message, called.fault.expected)
    : made(s, called.expression);
}

/** A call of one of Mapnik's functions. Checks the name and the number of arguments. */
export function makeCall(name: string, args: readonly Expression[]): ParsedExpression {
  const arity = functionArity.get(name);
  if (arity === undefined) {
    const expected = [...functionArity.keys()].join(', ');
    return {
      fault: {
        at: 0,
        message: `unknown function ${name}()${didYouMean(name, functionArity.keys())}`,
        expected,
      },
    };
  }
  if (args.length !== arity) {
    return {
      fault: {
        at: 0,
        message: `${name}() takes ${arity} argument${arity > 1 ? 's' : ''}, not ${args.length}`,
      },
    };
  }
  if (name !== 'sqrt') return { expression: { kind: 'call', name, args } };
  const half: Expression = { kind: 'number', value: 0.5, decimal: true };
  return { expression: { kind: 'call', name: 'pow', args: [args[0] as Expression, half] } };
}

import { parseSelector, startsSelector } from './parse-selector.js';
import { endsValue, fail, parseValue, startsDeclaration, unparsable } from './parse-value.js';
import type { Problems } from './problems.js';
import {
  acceptToken,
  describeHere,
  findForbidden,
  isAtEnd,
  maxDepth,
  maxTextLength,
  peek,
  recover,
  type Scanner,
  scan,
  skipSpace,
  takeName,
  takeWord,
} from './tokens.js';
import type { Declaration, Item, RuleBlock, Selector, Stylesheet, VariableDefinition } from './tree.js';

/**
 * CartoCSS text → tree. Adds every mistake to `problems`. The tree contains all readable parts, so one mistake does not hide
 * others. Never throws. Linear in the length of the text.
 */
export function parseStyle(text: string, problems: Problems): Stylesheet {
  if (text.length > maxTextLength) {
    problems.add(
      0,
      `the style is too long: ${text.length} characters`,
      `at most ${maxTextLength} characters`,
    );
    return { items: [] };
  }
  const forbidden = findForbidden(text);
  if (forbidden >= 0) {
    const code = (text.codePointAt(forbidden) as number).toString(16).toUpperCase().padStart(4, '0');
    problems.add(forbidden, `the character U+${code} is not allowed`);
    return { items: [] };
  }
  const s = scan(text, problems);
  return { items: parseItems(s) };
}

/** The statements up to the end of the block or of the text. */
function parseItems(s: Scanner): Item[] {
  const items: Item[] = [];
  const { depth } = s;
  for (;;) {
    skipSpace(s);
    if (isAtEnd(s)) return items;
    if (peek(s) === '}') {
      if (depth > 0) return items;
      s.problems.add(s.at, "unexpected '}': no block is open here");
      s.at++;
    } else if (!acceptToken(s, ';')) {
      const before = s.at;
      try {
        items.push(parseItem(s));
      } catch (error) {
        if (error !== unparsable) throw error;
        s.depth = depth;
        recover(s);
        // Ensures progress if the mistake is at the character where recovery stops.
        if (s.at === before && peek(s) !== '}') s.at++;
      }
    }
  }
}

function parseItem(s: Scanner): Item {
  s.operations = 0;
  if (peek(s) === '@') return parseVariable(s);
  if (startsSelector(s)) return parseBlock(s);
  return parseDeclaration(s);
}

function parseVariable(s: Scanner): VariableDefinition {
  const at = s.at;
  s.at++;
  const name = takeName(s);
  skipSpace(s);
  if (name === undefined || !acceptToken(s, ':')) {
    const rules = ['import', 'media', 'charset', 'font-face', 'supports'];
    if (rules.includes(name ?? '')) return fail(s, at, `@${name} is not part of CartoCSS`);
    return fail(s, at, `expected ':' after @${name ?? ''}`, '@name: value;');
  }
  if (s.depth > 0)
    s.problems.add(at, `the variable @${name} is defined in a block`, 'variables outside of all blocks');
  return { kind: 'variable-definition', at, name, value: parseStatementValue(s) };
}

function parseDeclaration(s: Scanner): Declaration {
  const at = s.at;
  const first = takeWord(s);
  if (first === undefined) return fail(s, at, `unexpected ${describeHere(s)}`, 'a property or a selector');
  const second = acceptToken(s, '/') ? takeWord(s) : undefined;
  const end = s.at;
  skipSpace(s);
  if (!acceptToken(s, ':')) {
    if (/[{,.[#:]/.test(peek(s)))
      return fail(s, at, `'${first}' is not a selector`, `#${first}, .${first} or Map`);
    return fail(s, end, `expected ':' after ${first}`, `${first}: value;`);
  }
  if (peek(s) === ':') return fail(s, at, `'${first}' is not a selector`, `#${first}::${'attachment'}`);
  const value = parseStatementValue(s);
  const [instance, name] = second === undefined ? [undefined, first] : [first, second];
  return { kind: 'declaration', at, end: s.at, instance, name, value };
}

/** Reads a value and the following `;`. */
function parseStatementValue(s: Scanner): Declaration['value'] {
  skipSpace(s);
  if (endsValue(s)) fail(s, s.at, 'a value is missing', 'a value');
  const value = parseValue(s);
  if (acceptToken(s, ';') || endsValue(s)) return value;
  if (startsDeclaration(s)) {
    s.problems.add(endOfValue(s), 'missing ; after the value', ';');
    return value;
  }
  const hint = peek(s) === '{' ? '; is a ; missing before it?' : '';
  return fail(s, s.at, `unexpected ${describeHere(s)}${hint}`, '; or }');
}

/** The offset after the last character other than space. */
function endOfValue(s: Scanner): number {
  let end = s.at;
  while (end > 0 && /\s/.test(s.text.charAt(end - 1))) end--;
  return end;
}

function parseBlock(s: Scanner): RuleBlock {
  const at = s.at;
  const selectors: Selector[] = [];
  do {
    skipSpace(s);
    // A comma after the last selector is allowed, as in carto.
    if (selectors.length > 0 && peek(s) === '{') break;
    selectors.push(parseSelector(s));
  } while (acceptToken(s, ','));
  const open = s.at;
  if (peek(s) !== '{') fail(s, s.at, `unexpected ${describeHere(s)} after a selector`, '{');
  if (s.depth >= maxDepth) fail(s, open, `blocks are nested deeper than ${maxDepth} levels`);
  s.at++;
  s.depth++;
  const items = parseItems(s);
  s.depth--;
  if (!acceptToken(s, '}')) s.problems.add(open, 'this block is not closed', '}');
  return { kind: 'block', at, end: s.at, selectors, items };
}

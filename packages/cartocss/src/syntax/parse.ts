import { parseSelector, startsSelector } from './parse-selector.js';
import { endsValue, fail, parseValue, startsDeclaration, unparsable } from './parse-value.js';
import type { Problems } from './problems.js';
import {
  accept,
  describeHere,
  ended,
  findForbidden,
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
import type { Block, Declaration, Item, Selector, Sheet, VariableDefinition } from './tree.js';

/**
 * CartoCSS text → tree. Every mistake is added to `problems`; what could be read is in the tree, so that one
 * mistake does not hide the others. Never throws; takes time in proportion to the text.
 */
export function parseStyle(text: string, problems: Problems): Sheet {
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
    if (ended(s)) return items;
    if (peek(s) === '}') {
      if (depth > 0) return items;
      s.problems.add(s.at, "unexpected '}': no block is open here");
      s.at++;
    } else if (!accept(s, ';')) {
      const before = s.at;
      try {
        items.push(parseItem(s));
      } catch (error) {
        if (error !== unparsable) throw error;
        s.depth = depth;
        recover(s);
        // Always forward, also when the mistake was found on the character where recovery stops.
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
  if (name === undefined || !accept(s, ':')) {
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
  const second = accept(s, '/') ? takeWord(s) : undefined;
  const end = s.at;
  skipSpace(s);
  if (!accept(s, ':')) {
    if (/[{,.[#:]/.test(peek(s)))
      return fail(s, at, `'${first}' is not a selector`, `#${first}, .${first} or Map`);
    return fail(s, end, `expected ':' after ${first}`, `${first}: value;`);
  }
  if (peek(s) === ':') return fail(s, at, `'${first}' is not a selector`, `#${first}::${'attachment'}`);
  const value = parseStatementValue(s);
  if (second === undefined) return { kind: 'declaration', at, instance: undefined, name: first, value };
  return { kind: 'declaration', at, instance: first, name: second, value };
}

/** The value and the `;` after it. */
function parseStatementValue(s: Scanner): Declaration['value'] {
  skipSpace(s);
  if (endsValue(s)) fail(s, s.at, 'a value is missing', 'a value');
  const value = parseValue(s);
  if (accept(s, ';') || endsValue(s)) return value;
  if (startsDeclaration(s)) {
    s.problems.add(endOfValue(s), 'missing ; after the value', ';');
    return value;
  }
  const hint = peek(s) === '{' ? '; is a ; missing before it?' : '';
  return fail(s, s.at, `unexpected ${describeHere(s)}${hint}`, '; or }');
}

/** The offset after the last character that is not blank. */
function endOfValue(s: Scanner): number {
  let end = s.at;
  while (end > 0 && /\s/.test(s.text.charAt(end - 1))) end--;
  return end;
}

function parseBlock(s: Scanner): Block {
  const at = s.at;
  const selectors: Selector[] = [];
  do {
    skipSpace(s);
    // As carto does: a comma may also stand behind the last selector.
    if (selectors.length > 0 && peek(s) === '{') break;
    selectors.push(parseSelector(s));
  } while (accept(s, ','));
  const open = s.at;
  if (peek(s) !== '{') fail(s, s.at, `unexpected ${describeHere(s)} after a selector`, '{');
  if (s.depth >= maxDepth) fail(s, open, `blocks are nested deeper than ${maxDepth} levels`);
  s.at++;
  s.depth++;
  const items = parseItems(s);
  s.depth--;
  if (!accept(s, '}')) s.problems.add(open, 'this block is not closed', '}');
  return { kind: 'block', at, selectors, items };
}

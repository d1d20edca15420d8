import { unescapeText } from '../values/text.js';
import { fail, parseSum } from './parse-value.js';
import {
  acceptToken,
  describeHere,
  maxDepth,
  peek,
  type Scanner,
  skipSpace,
  takeName,
  takeString,
  takeToken,
} from './tokens.js';
import {
  type Comparison,
  comparisonOperators,
  type Element,
  type FilterNode,
  type Selector,
  type ValueNode,
  type ZoomNode,
} from './tree.js';

/** Filters of one selector. */
const maxConditions = 50;

const mapWord = /Map(?![\p{L}\p{N}_-])/uy;
const attachmentName = /[\p{L}\p{N}_-]+(?:\/[\p{L}\p{N}_-]+)*/uy;

/** Whether a selector, rather than a property, begins here. */
export function startsSelector(s: Scanner): boolean {
  const c = peek(s);
  return c === '&' || startsPart(s);
}

/** Whether a part of a selector begins here. `&` is always the first one. */
function startsPart(s: Scanner): boolean {
  const c = peek(s);
  if (c === '#' || c === '.' || c === '[' || c === '*' || s.text.startsWith('::', s.at)) return true;
  const at = s.at;
  const found = takeToken(s, mapWord) !== undefined;
  s.at = at;
  return found;
}

/** Reads one selector and the following spaces. */
export function parseSelector(s: Scanner): Selector {
  const at = s.at;
  const elements: Element[] = [];
  const filters: FilterNode[] = [];
  const zooms: ZoomNode[] = [];
  let attachment: string | undefined;
  if (acceptToken(s, '&')) {
    elements.push({ kind: 'around', at, name: '&' });
    skipSpace(s);
  }
  while (startsPart(s)) {
    const start = s.at;
    if (acceptToken(s, '::')) {
      if (attachment !== undefined) fail(s, start, 'a selector can name one attachment only');
      attachment = takeToken(s, attachmentName) ?? fail(s, start, 'an attachment needs a name', '::name');
    } else if (peek(s) === '[') {
      const condition = parseCondition(s);
      if (condition.zoom) zooms.push(condition.node);
      else filters.push(condition.node);
      if (filters.length + zooms.length > maxConditions)
        fail(s, start, 'too many filters', `at most ${maxConditions}`);
    } else elements.push(parseElement(s));
    skipSpace(s);
  }
  if (s.at === at) fail(s, at, `unexpected ${describeHere(s)}`, 'a selector');
  return { at, elements, filters, zooms, attachment };
}

function parseElement(s: Scanner): Element {
  const at = s.at;
  if (acceptToken(s, '*')) return { kind: 'any', at, name: '*' };
  if (takeToken(s, mapWord) !== undefined) return { kind: 'map', at, name: 'Map' };
  const kind = acceptToken(s, '#') ? 'id' : 'class';
  if (kind === 'class') s.at++;
  const name = takeName(s);
  if (name === undefined)
    return fail(s, at, `unexpected ${describeHere(s)}`, kind === 'id' ? '#layer' : '.class');
  return { kind, at, name };
}

type Condition = { zoom: true; node: ZoomNode } | { zoom: false; node: FilterNode };

/** `[key op value]` */
function parseCondition(s: Scanner): Condition {
  const at = s.at;
  if (s.depth >= maxDepth) fail(s, at, `nested deeper than ${maxDepth} levels`);
  s.depth++;
  s.at++;
  skipSpace(s);
  const key = parseKey(s);
  const op = takeComparison(s);
  if (op === undefined)
    return fail(s, s.at, `unexpected ${describeHere(s)} in a filter`, comparisonOperators.join(' '));
  if (peek(s) === '=' && op === '=') fail(s, s.at, "unexpected '='", 'one = compares');
  skipSpace(s);
  const value = parseSum(s, 'value');
  if (!acceptToken(s, ']')) fail(s, s.at, `unexpected ${describeHere(s)} in a filter`, ']');
  s.depth--;
  const zoom = key.kind === 'word' && key.name === 'zoom';
  return zoom ? { zoom, node: { at, op, value } } : { zoom: false, node: { at, key, op, value } };
}

/** Reads the key of a filter: a name or quoted name before a comparison is a column, `zoom` is the zoom level; otherwise arithmetic over columns. */
function parseKey(s: Scanner): ValueNode {
  const at = s.at;
  const raw = takeString(s);
  const name = raw === undefined ? takeColumn(s) : unescapeText(raw);
  skipSpace(s);
  if (name !== undefined && comparisonOperators.some((op) => s.text.startsWith(op, s.at))) {
    if (raw === undefined && name === 'zoom') return { kind: 'word', at, name };
    // A number on the left side is a number, as in [5<[a]].
    if (raw !== undefined || !/^[0-9]+$/.test(name)) return { kind: 'column', at, name };
  }
  s.at = at;
  return parseSum(s, 'filter-key');
}

function takeColumn(s: Scanner): string | undefined {
  const name = takeName(s);
  return name === 'mapnik' && acceptToken(s, '::') ? `mapnik::${takeName(s) ?? ''}` : name;
}

function takeComparison(s: Scanner): Comparison | undefined {
  return comparisonOperators.find((op) => acceptToken(s, op));
}

import { type TextToken, Tokens, wrongText } from './tokens.js';
import { isGeometryWord, readWkt, signedNumber } from './wkt.js';

/*
 * CQL2 text (OGC 21-065r2, annex B) to CQL2-JSON. The parser descends by precedence; it knows the form alone. Whether names and
 * types are right is judged where the JSON is compiled, for both forms.
 */

/** A term of the filter: its JSON, where it begins in the text, and the nodes of its `args`. */
export interface TextNode {
  json: unknown;
  at: number;
  args: readonly TextNode[];
}

/** Brackets, functions and negations in each other. */
const nestingLimit = 45;

const leaf = (at: number, json: unknown): TextNode => ({ json, at, args: [] });
const node = (at: number, op: string, args: readonly TextNode[]): TextNode => ({
  at,
  args,
  json: { op, args: args.map(({ json }) => json) },
});

/** Parses a CQL2 text. Throws 400 with the position of the mistake. */
export function parseCql2Text(text: string): TextNode {
  return new Parser(text).whole();
}

/** Words that are no names of columns, unless they stand in double quotes. */
const reserved = new Set('AND OR NOT LIKE BETWEEN IN IS NULL TRUE FALSE DIV'.split(' '));

class Parser {
  readonly #tokens: Tokens;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = new Tokens(text);
  }

  whole(): TextNode {
    if (this.#isEnd()) throw wrongText(0, 'the filter is empty');
    const all = this.#either();
    if (!this.#isEnd()) throw this.#tokens.unexpected('the end of the text');
    return all;
  }

  #isEnd = (): boolean => this.#tokens.next.kind === 'end';

  #either = (): TextNode => this.#chain('OR', () => this.#both());
  #both = (): TextNode => this.#chain('AND', () => this.#negated());

  /** Conditions that are joined by the same word, as one node. */
  #chain(word: 'AND' | 'OR', part: () => TextNode): TextNode {
    const first = part();
    const all = [first];
    while (this.#tokens.takeWord(word)) all.push(part());
    return all.length === 1 ? first : node(first.at, word.toLowerCase(), all);
  }

  #negated(): TextNode {
    const { at } = this.#tokens.next;
    if (!this.#tokens.takeWord('NOT')) return this.#predicate();
    return this.#within(at, () => node(at, 'not', [this.#negated()]));
  }

  #within<T>(at: number, work: () => T): T {
    if (++this.#depth > nestingLimit) throw wrongText(at, `nested more than ${nestingLimit} deep`);
    const result = work();
    this.#depth--;
    return result;
  }

  #predicate(): TextNode {
    const left = this.#sum();
    const { kind, value } = this.#tokens.next;
    if (kind === 'symbol' && /^(=|<>|<=?|>=?)$/.test(value)) {
      this.#tokens.take();
      return node(left.at, value, [left, this.#sum()]);
    }
    if (this.#tokens.takeWord('IS')) {
      const isNot = this.#tokens.takeWord('NOT');
      this.#tokens.demand('NULL');
      return negatedIf(isNot, node(left.at, 'isNull', [left]));
    }
    const isNot = this.#tokens.takeWord('NOT');
    if (this.#tokens.takeWord('LIKE')) return negatedIf(isNot, node(left.at, 'like', [left, this.#sum()]));
    if (this.#tokens.takeWord('BETWEEN')) {
      const low = this.#sum();
      this.#tokens.demand('AND');
      return negatedIf(isNot, node(left.at, 'between', [left, low, this.#sum()]));
    }
    if (this.#tokens.takeWord('IN')) return negatedIf(isNot, node(left.at, 'in', [left, this.#list()]));
    if (isNot) throw this.#tokens.unexpected("'LIKE', 'BETWEEN' or 'IN'");
    return left;
  }

  /** Values in brackets, as the JSON array of them. */
  #list(): TextNode {
    const { at } = this.#tokens.next;
    return this.#within(at, () => {
      this.#tokens.demand('(');
      const all = this.#tokens.isSymbol(')') ? [] : [this.#sum()];
      while (this.#tokens.takeSymbol(',')) all.push(this.#sum());
      this.#tokens.demand(')');
      return { at, args: [], json: all.map(({ json }) => json) };
    });
  }

  #sum = (): TextNode => this.#operation(/^[+-]$/, () => this.#product());
  #product = (): TextNode => this.#operation(/^[*/%]$/, () => this.#power());

  #operation(symbols: RegExp, part: () => TextNode): TextNode {
    let left = part();
    for (;;) {
      const { kind, value } = this.#tokens.next;
      const isDiv = symbols.test('*') && this.#tokens.isWord('DIV');
      if (!isDiv && !(kind === 'symbol' && symbols.test(value))) return left;
      this.#tokens.take();
      left = node(left.at, isDiv ? 'div' : value, [left, part()]);
    }
  }

  #power(): TextNode {
    const base = this.#signed();
    return this.#tokens.takeSymbol('^') ? node(base.at, '^', [base, this.#signed()]) : base;
  }

  #signed(): TextNode {
    const { at } = this.#tokens.next;
    if (this.#tokens.takeSymbol('+')) return leaf(at, signedNumber(this.#tokens));
    if (!this.#tokens.takeSymbol('-')) return this.#value();
    if (this.#tokens.next.kind === 'number') return leaf(at, -Number(this.#tokens.take().value));
    return node(at, '*', [leaf(at, -1), this.#value()]);
  }

  #value(): TextNode {
    const token = this.#tokens.next;
    const { kind, value, at } = token;
    if (kind === 'symbol' && value === '(') {
      return this.#within(at, () => {
        this.#tokens.take();
        const inside = this.#either();
        this.#tokens.demand(')');
        return inside;
      });
    }
    if (kind === 'symbol' || kind === 'end') throw this.#tokens.unexpected('a value or a condition');
    this.#tokens.take();
    if (kind === 'number') return leaf(at, Number(value));
    if (kind === 'text') return leaf(at, value);
    return kind === 'quoted' ? leaf(at, { property: value }) : this.#word(token);
  }

  #word({ value, at }: TextToken): TextNode {
    const upper = value.toUpperCase();
    if (upper === 'TRUE' || upper === 'FALSE') return leaf(at, upper === 'TRUE');
    if (reserved.has(upper))
      throw wrongText(
        at,
        `a value is expected, but '${value}' was found; a column of this name is "${value}"`,
      );
    const isCalled = this.#tokens.isSymbol('(');
    const isShape =
      isGeometryWord(value) &&
      (isCalled || ['Z', 'M', 'ZM', 'EMPTY'].some((word) => this.#tokens.isWord(word)));
    if (isShape) return leaf(at, readWkt(this.#tokens, value));
    return isCalled ? this.#within(at, () => this.#call(upper, at)) : leaf(at, { property: value });
  }

  /** A function or a literal that is written as one. */
  #call(name: string, at: number): TextNode {
    this.#tokens.demand('(');
    const args = this.#tokens.isSymbol(')') ? [] : [this.#argument(name)];
    while (this.#tokens.takeSymbol(',')) args.push(this.#argument(name));
    this.#tokens.demand(')');
    if (name === 'BBOX') return leaf(at, { bbox: args.map(({ json }) => json) });
    if (name === 'INTERVAL') return leaf(at, { interval: args.map(({ json }) => instantOf(json)) });
    if (name !== 'DATE' && name !== 'TIMESTAMP')
      return node(at, jsonNames.get(name) ?? name.toLowerCase(), args);
    const [literal] = args;
    if (args.length !== 1 || typeof literal!.json !== 'string') throw wrongText(at, `${name} takes one text`);
    return leaf(at, { [name.toLowerCase()]: literal!.json });
  }

  /** In functions of arrays, brackets hold the values of an array. */
  #argument = (name: string): TextNode =>
    name.startsWith('A_') && this.#tokens.isSymbol('(') ? this.#list() : this.#either();
}

/** The functions whose names in CQL2-JSON have a capital letter. */
const jsonNames = new Map(
  ['a_containedBy', 't_finishedBy', 't_metBy', 't_overlappedBy', 't_startedBy'].map((name) => [
    name.toUpperCase(),
    name,
  ]),
);

const negatedIf = (isNot: boolean, inner: TextNode): TextNode =>
  isNot ? node(inner.at, 'not', [inner]) : inner;

/** The ends of an interval are texts in both forms; `DATE('…')` is taken, too. */
function instantOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  const { date, timestamp } = json as { date?: unknown; timestamp?: unknown };
  return date ?? timestamp ?? json;
}

/** Where the term with this path (`filter.args[1].args[0]`) begins in the text. */
export function positionOf(root: TextNode, path: string): number {
  let at = root;
  for (const [, index] of path.matchAll(/args\[(\d+)\]/g)) at = at.args[Number(index)] ?? at;
  return at.at;
}

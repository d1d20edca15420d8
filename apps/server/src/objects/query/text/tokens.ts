import { badRequest, type ServiceError } from '@cartulary/errors';

/** A part of a CQL2 text. `end` is the end of the text. */
export interface TextToken {
  kind: 'word' | 'quoted' | 'text' | 'number' | 'symbol' | 'end';
  /** A word as it was written, the content of a text or a quoted name, the number, or the symbol. */
  value: string;
  /** Where it begins, from 0. */
  at: number;
}

/** The error for a place in the text. Positions are told from 1. */
export const wrongText = (at: number, why: string): ServiceError =>
  badRequest(`filter: at character ${at + 1}: ${why}`, { parameters: ['filter'], position: at + 1 });

const blank = /[\s]*/y;
const patterns: readonly (readonly [TextToken['kind'], RegExp])[] = [
  ['word', /[:_\p{L}][:_.\p{L}\p{M}\p{N}]*/uy],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['symbol', /<>|<=|>=|[=<>+\-*/%^(),]/y],
];

/** Reads a CQL2 text token by token, with one token of foresight. */
export class Tokens {
  readonly #text: string;
  #at = 0;
  #next: TextToken;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  /** The token that comes next, which stays. */
  get next(): TextToken {
    return this.#next;
  }

  /** Takes the token that comes next. */
  take(): TextToken {
    const token = this.#next;
    this.#next = this.#read();
    return token;
  }

  /** Whether the next token is this keyword, in any case. */
  isWord(word: string): boolean {
    return this.#next.kind === 'word' && this.#next.value.toUpperCase() === word;
  }

  isSymbol(symbol: string): boolean {
    return this.#next.kind === 'symbol' && this.#next.value === symbol;
  }

  /** Takes the next token where it is this keyword. */
  takeWord(word: string): boolean {
    const is = this.isWord(word);
    if (is) this.take();
    return is;
  }

  takeSymbol(symbol: string): boolean {
    const is = this.isSymbol(symbol);
    if (is) this.take();
    return is;
  }

  /** Takes a symbol or keyword that must come. */
  demand(wanted: string): TextToken {
    if (this.isSymbol(wanted) || this.isWord(wanted)) return this.take();
    throw this.unexpected(`'${wanted}'`);
  }

  /** The error for the next token, where something else is wanted. */
  unexpected(wanted: string): ServiceError {
    const { kind, value, at } = this.#next;
    const found = kind === 'end' ? 'the text ends' : `'${value.slice(0, 50)}' was found`;
    return wrongText(at, `${wanted} is expected, but ${found}`);
  }

  #read(): TextToken {
    blank.lastIndex = this.#at;
    blank.exec(this.#text);
    const at = blank.lastIndex;
    if (at >= this.#text.length) return { kind: 'end', value: '', at };
    const mark = this.#text[at];
    if (mark === "'" || mark === '"') return this.#quotation(mark, at);
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = at;
      const match = pattern.exec(this.#text);
      if (!match) continue;
      this.#at = pattern.lastIndex;
      return { kind, value: match[0], at };
    }
    const character = String.fromCodePoint(this.#text.codePointAt(at)!);
    throw wrongText(at, `the character '${character}' means nothing here`);
  }

  /** A text, where `''` and `\\'` stand for a quote, or a quoted name, where `""` does. */
  #quotation(mark: "'" | '"', at: number): TextToken {
    const end = endOf(this.#text, mark, at);
    if (end < 0) throw wrongText(at, `the ${mark} has no end`);
    this.#at = end + 1;
    const inside = this.#text.slice(at + 1, end).replaceAll(mark + mark, mark);
    if (mark === '"') return { kind: 'quoted', value: inside, at };
    return { kind: 'text', value: inside.replaceAll("\\'", "'"), at };
  }
}

/** Where the quotation that begins at `start` ends; -1: nowhere. */
function endOf(text: string, mark: string, start: number): number {
  let backslashes = 0;
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === mark && text[at + 1] === mark) at++;
    else if (character === mark && (mark === '"' || backslashes % 2 === 0)) return at;
    backslashes = character === '\\' ? backslashes + 1 : 0;
  }
  return -1;
}

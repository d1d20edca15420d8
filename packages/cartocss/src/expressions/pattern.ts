/**
 * Patterns of `=~`, `.match` and `.replace` run once per feature in Boost's backtracking engine. A pattern that backtracks
 * too much raises an error, which aborts the tile. Accepted patterns cannot do so: they have no repeated group with a choice
 * or a repetition inside, few open repetitions, no back-references and no lookaround.
 */
const maxLength = 200;
const maxOpenRepetitions = 3;
const maxOptional = 8;
const maxCount = 100;

interface State {
  readonly text: string;
  at: number;
  open: number;
  optional: number;
}

/** The mistake in a pattern, or undefined. */
export function checkPattern(pattern: string): string | undefined {
  if (pattern.length > maxLength) return `the pattern is longer than ${maxLength} characters`;
  if (/[\n\r\t]/.test(pattern)) return 'the pattern holds a line break or a tab';
  const s: State = {
    text: pattern.startsWith('(?i)') ? pattern.slice(4) : pattern,
    at: 0,
    open: 0,
    optional: 0,
  };
  try {
    readAlternatives(s, 0);
    if (s.at < s.text.length) throw new PatternFault("unexpected ')'");
  } catch (error) {
    if (error instanceof PatternFault) return `the pattern is not accepted: ${error.message}`;
    throw error;
  }
  return undefined;
}

class PatternFault extends Error {}

/** Returns whether the alternatives contain a repetition or a choice. */
function readAlternatives(s: State, depth: number): boolean {
  if (depth > 8) throw new PatternFault('groups are nested too deeply');
  let variable = false;
  for (;;) {
    if (readSequence(s, depth)) variable = true;
    if (s.text[s.at] !== '|') return variable;
    s.at++;
    variable = true;
  }
}

function readSequence(s: State, depth: number): boolean {
  let variable = false;
  while (s.at < s.text.length && s.text[s.at] !== '|' && s.text[s.at] !== ')') {
    const group = s.text[s.at] === '(';
    const inner = group ? readGroup(s, depth) : readOne(s);
    const repeated = readRepetition(s);
    if (repeated !== 'once') {
      if (repeated !== 'maybe' && inner)
        throw new PatternFault('a repeated group holds a repetition or a choice');
      variable = true;
    }
    if (inner) variable = true;
  }
  return variable;
}

function readGroup(s: State, depth: number): boolean {
  s.at++;
  if (s.text.startsWith('?:', s.at)) s.at += 2;
  else if (s.text[s.at] === '?' || s.text[s.at] === '*') throw new PatternFault("'(?' is not supported");
  const variable = readAlternatives(s, depth + 1);
  if (s.text[s.at] !== ')') throw new PatternFault("a '(' is not closed");
  s.at++;
  return variable;
}

/** Reads one character, escape or class. Returns false, since it contains no repetition. */
function readOne(s: State): false {
  const c = s.text[s.at] as string;
  if ('*+?{'.includes(c)) throw new PatternFault(`nothing to repeat before '${c}'`);
  if (c === '\\') readEscape(s);
  else if (c === '[') readClass(s);
  else if (c === ']' || c === '}') throw new PatternFault(`'${c}' needs a backslash`);
  else s.at++;
  return false;
}

const escapeSequence = /\\(?:[dDwWsSbBAz]|x[0-9a-fA-F]{2}|[pP]\{L[ul]?\}|[^\p{L}\p{N}\s]| )/uy;

function readEscape(s: State): void {
  escapeSequence.lastIndex = s.at;
  const found = escapeSequence.exec(s.text)?.[0];
  if (found === undefined)
    throw new PatternFault(`the escape ${s.text.slice(s.at, s.at + 2)} is not supported`);
  s.at += found.length;
}

function readClass(s: State): void {
  s.at++;
  if (s.text[s.at] === '^') s.at++;
  let last: number | undefined;
  for (let first = true; ; first = false) {
    const c = s.text[s.at];
    if (c === undefined) throw new PatternFault("a '[' is not closed");
    if (c === ']' && !first) break;
    if (c === '[' || (c === ']' && first)) throw new PatternFault(`'${c}' in a class needs a backslash`);
    const next = readClassCharacter(s);
    if (s.text[s.at] !== '-' || s.text[s.at + 1] === ']') continue;
    last = next;
    s.at++;
    const end = s.text[s.at] === undefined ? undefined : readClassCharacter(s);
    if (last === undefined || end === undefined || end < last)
      throw new PatternFault('a class has a wrong range');
  }
  s.at++;
}

/** The character's code. undefined: an escape such as `\d`, which cannot limit a range. */
function readClassCharacter(s: State): number | undefined {
  if (s.text[s.at] !== '\\') {
    const code = s.text.codePointAt(s.at) as number;
    s.at += code > 0xffff ? 2 : 1;
    return code;
  }
  const start = s.at;
  readEscape(s);
  const escaped = s.text.slice(start + 1, s.at);
  return /^[\p{L}]/u.test(escaped) ? undefined : escaped.codePointAt(0);
}

const counted = /\{(\d{1,3})(,(\d{0,3}))?\}/y;

function readRepetition(s: State): 'once' | 'maybe' | 'many' {
  const c = s.text[s.at];
  if (c !== '*' && c !== '+' && c !== '?' && c !== '{') return 'once';
  if (c === '{') readCount(s);
  else s.at++;
  if (c === '*' || c === '+') countOpen(s);
  if (c === '?' && ++s.optional > maxOptional)
    throw new PatternFault(`more than ${maxOptional} optional parts`);
  const after = s.text[s.at];
  if (after === '?') s.at++;
  else if (after === '*' || after === '+' || after === '{')
    throw new PatternFault('a repetition is repeated');
  return c === '?' ? 'maybe' : 'many';
}

function readCount(s: State): void {
  counted.lastIndex = s.at;
  const found = counted.exec(s.text);
  if (found === null) throw new PatternFault("'{' needs a count or a backslash");
  s.at += found[0].length;
  const min = Number(found[1]);
  const max = found[3] === undefined || found[3] === '' ? min : Number(found[3]);
  if (found[2] !== undefined && (found[3] === '' || max > 10)) countOpen(s);
  else if (max > min) s.optional += max - min;
  if (max < min || max > maxCount) throw new PatternFault(`a count must rise and be at most ${maxCount}`);
}

function countOpen(s: State): void {
  if (++s.open > maxOpenRepetitions)
    throw new PatternFault(`more than ${maxOpenRepetitions} open repetitions`);
}

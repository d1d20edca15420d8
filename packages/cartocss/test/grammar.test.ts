import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildParser } from '@lezer/generator';
import { parseStyle } from '../src/syntax/parse.js';
import { collectProblems } from '../src/syntax/problems.js';
import { refused } from './attacks.js';
import { corpus } from './corpus.js';
import { mutate, tame } from './mutations.js';
import { pick, randomNumbers, randomStyle } from './random-styles.js';

const grammar = fileURLToPath(new URL('../../src/grammar/cartocss.grammar', import.meta.url));
const parser = buildParser(readFileSync(grammar, 'utf8'));

/** Where the grammar finds no rule; null: it accepts the text. */
function mistakeAt(text: string): number | null {
  const cursor = parser.parse(text).cursor();
  do if (cursor.type.isError) return cursor.from;
  while (cursor.next());
  return null;
}

/** Problems of the compiler's reader that are limits and meanings: a grammar cannot know them. */
const beyondGrammar =
  /is not a colour|is not allowed|is too large|too long|nested deeper|too many filters|defined in a block|one attachment only/;

/** A subtraction without spaces: in filters the grammar reads a negative number after another value. */
const unspacedMinus = /^\S-[.\d]/;

/** Whether the text has a mistake that a grammar can know. */
function compare(text: string): boolean {
  const problems = collectProblems(text);
  parseStyle(text, problems);
  const found = problems.list();
  const own = mistakeAt(text);
  if (found.length === 0) {
    if (own !== null && unspacedMinus.test(text.slice(own - 1, own + 2))) return false;
    assert.equal(own, null, `only the grammar refuses: ${text.slice(own ?? 0, (own ?? 0) + 20)}\n\n${text}`);
  } else if (!found.some(({ message }) => beyondGrammar.test(message))) {
    assert.notEqual(own, null, `only the compiler refuses: ${found[0]!.message}\n\n${text}`);
  }
  return own !== null;
}

test('the grammar accepts and refuses what the compiler reads and does not', () => {
  for (const { style } of corpus) assert.equal(compare(style), false);
  for (const [style] of refused) compare(style);
  assert.equal(compare('#x { line-width 1; }'), true);
});

test('random and damaged styles, too', () => {
  const random = randomNumbers(23);
  for (let i = 0; i < 300; i++) assert.equal(compare(randomStyle(random, false)), false);
  let mistakes = 0;
  for (let i = 0; i < 3000; i++) {
    const { style } = pick(random, corpus);
    for (const damaged of [mutate(random, style), tame(random, style)]) if (compare(damaged)) mistakes++;
  }
  assert.ok(mistakes > 1000 && mistakes < 5000, String(mistakes));
});

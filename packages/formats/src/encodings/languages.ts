import { type LetterPairs, letterPairs } from './language-pairs.js';

/** Probabilities of letter pairs in a language. */
export interface Language {
  /** The natural logarithm of the probability of a letter after another. A blank marks the edge of a word. */
  likelihood(before: string, letter: string): number;
}

/** Weight of the frequency of a single letter relative to that of the pair. */
const lone = 8;

/** Probability of a letter that does not occur in the names of a language. */
const foreign = 2e-6;

const known = new Map<string, Language>();

/** The language of a code (BCP 47). */
export function languageOf(code: string): Language {
  if (!known.size) {
    for (const [name, pairs] of Object.entries(letterPairs())) known.set(name, learned(pairs));
  }
  return known.get(code)!;
}

function learned(pairs: LetterPairs): Language {
  const befores = new Map<string, number>();
  const letters = new Map<string, number>();
  let total = 0;
  const add = (counts: Map<string, number>, key: string, count: number): unknown =>
    counts.set(key, (counts.get(key) ?? 0) + count);
  for (const [pair, count] of Object.entries(pairs)) {
    const [before, letter] = [...pair] as [string, string];
    add(befores, before, count);
    add(letters, letter, count);
    total += count;
  }
  const alone = (letter: string): number => (letters.has(letter) ? letters.get(letter)! / total : foreign);
  const likelihoods = new Map<string, number>();
  return {
    likelihood(before, letter) {
      const pair = before + letter;
      let found = likelihoods.get(pair);
      if (found === undefined) {
        const both = (pairs[pair] ?? 0) + lone * alone(letter);
        found = Math.log(both / ((befores.get(before) ?? 0) + lone));
        likelihoods.set(pair, found);
      }
      return found;
    },
  };
}

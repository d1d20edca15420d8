import { blanks } from './patterns.js';

/**
 * A text without these characters around it: by default those that the patterns accept as space, which are fewer than those of
 * `String.trim`. A pattern such as `\s+$` would try each run of blanks inside the text from each of its characters.
 */
export function trimmed(text: string, characters = blanks): string {
  let [from, to] = [0, text.length];
  while (from < to && characters.includes(text[from]!)) from++;
  while (to > from && characters.includes(text[to - 1]!)) to--;
  return text.slice(from, to);
}

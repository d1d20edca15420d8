import { parseStyle } from '../syntax/parse.js';
import { collectProblems } from '../syntax/problems.js';
import type { Item } from '../syntax/tree.js';

/**
 * Renames the selectors `#from` to `#to`. Colours, texts and comments stay unchanged. Also works for styles with mistakes,
 * as far as they can be parsed.
 */
export function renameLayerInStyle(text: string, from: string, to: string): string {
  const places: number[] = [];
  collect(parseStyle(text, collectProblems(text)).items, from, places);
  let result = '';
  let end = 0;
  for (const at of places.sort((a, b) => a - b)) {
    result += `${text.slice(end, at)}#${to}`;
    end = at + 1 + from.length;
  }
  return result + text.slice(end);
}

function collect(items: readonly Item[], name: string, places: number[]): void {
  for (const item of items) {
    if (item.kind !== 'block') continue;
    for (const { elements } of item.selectors) {
      for (const element of elements)
        if (element.kind === 'id' && element.name === name) places.push(element.at);
    }
    collect(item.items, name, places);
  }
}

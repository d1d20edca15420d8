import { parseStyle } from './parse.js';
import { collectProblems } from './problems.js';
import type { Item } from './tree.js';

/**
 * The style with its selectors `#from` turned into `#to`, and nothing else changed: colours, texts and comments that
 * look the same stay. Also for styles with mistakes, as far as they can be read.
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

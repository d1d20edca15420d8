import { parseStyle } from '../syntax/parse.js';
import { collectProblems } from '../syntax/problems.js';
import type { Declaration, RuleBlock } from '../syntax/tree.js';

/** The background of a map's style as it is written; null: it has none. Of repeated ones the last counts. */
export function backgroundIn(text: string): string | null {
  const { at, end } = mapBlocksIn(text)
    .flatMap(({ backgrounds }) => backgrounds)
    .at(-1) ?? { at: 0, end: 0 };
  const written = text.slice(at, end).replace(/;$/, '');
  return written.slice(written.indexOf(':') + 1).trim() || null;
}

/** A map's style with another background; null: with none. All else stays as it is written. */
export function withBackground(text: string, color: string | null): string {
  const written = color === null ? '' : `background-color: ${color};`;
  const found = mapBlocksIn(text);
  const last = found.flatMap(({ backgrounds }) => backgrounds).at(-1);
  if (!last) return color === null ? text : `${text.trimEnd()} Map { ${written} }`.trim();
  const edits = found.flatMap(({ block, backgrounds }) => {
    const own = backgrounds.map(({ at, end }): Edit => ({ at, end, by: at === last.at ? written : '' }));
    // A block that held nothing else goes, too.
    const isEmptied = own.length > 0 && /^Map\s*\{\s*\}$/.test(edited(text, own, block));
    return isEmptied ? [{ at: block.at, end: block.end, by: '' }] : own;
  });
  return edited(text, edits).trim();
}

interface Edit {
  at: number;
  end: number;
  by: string;
}

/** A part of a text with other words in some places, which are in order. */
function edited(text: string, edits: readonly Edit[], part = { at: 0, end: text.length }): string {
  let result = '';
  let done = part.at;
  for (const { at, end, by } of edits) {
    result += text.slice(done, at) + by;
    done = end;
  }
  return result + text.slice(done, part.end);
}

/** The blocks `Map { }` of a style with their declarations of the background. */
function mapBlocksIn(text: string): { block: RuleBlock; backgrounds: Declaration[] }[] {
  return parseStyle(text, collectProblems(text)).items.flatMap((block) => {
    if (block.kind !== 'block' || block.selectors[0]?.elements[0]?.kind !== 'map') return [];
    const backgrounds = block.items.filter(
      (item): item is Declaration => item.kind === 'declaration' && item.name === 'background-color',
    );
    return [{ block, backgrounds }];
  });
}

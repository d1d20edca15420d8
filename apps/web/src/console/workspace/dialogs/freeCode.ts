import type { Workspace } from '../useWorkspace.js';

/** A code that no layer or folder of the map has: with a number where it is taken. Codes of layers begin with no digit. */
export function freeCode(wanted: string, kind: 'layer' | 'folder', { items }: Workspace): string {
  if (!wanted) return '';
  const start = kind === 'layer' && /^\d/.test(wanted) ? `_${wanted}` : wanted;
  const taken = new Set(items.map(({ code }) => code));
  for (let number = 1; ; number++) {
    const code = number === 1 ? start : `${start.slice(0, 58)}_${number}`;
    if (!taken.has(code)) return code;
  }
}

import { useRef, useState } from 'react';
import type { Look } from './look.js';
import type { StyleEditing } from './useStyle.js';

/** Most steps that can be taken back. */
const most = 100;

export interface SteppedStyle extends StyleEditing {
  /** Takes the last change of the form back; null: there is none. */
  undo: (() => void) | null;
}

/**
 * Remembers the changes of forms as steps. What follows before a draft is stored, such as the drag of a colour, is one step. The
 * editor of CartoCSS has steps of its own.
 */
export function useSteps(style: StyleEditing | null): SteppedStyle | null {
  const [past, setPast] = useState<readonly Look[]>([]);
  const stepVersion = useRef(-1);
  if (!style) return null;
  const change: StyleEditing['change'] = (look, problems) => {
    const isTyped = style.look.kind === 'css' && look.kind === 'css';
    if (!isTyped && stepVersion.current !== style.version) {
      stepVersion.current = style.version;
      setPast((before) => [...before, style.look].slice(-most));
    }
    style.change(look, problems);
  };
  const discard: StyleEditing['discard'] = (present) => {
    setPast([]);
    return style.discard(present);
  };
  const last = past.at(-1);
  const undo = (): void => {
    stepVersion.current = -1;
    setPast((before) => before.slice(0, -1));
    style.change(last!);
  };
  return { ...style, change, discard, undo: last ? undo : null };
}

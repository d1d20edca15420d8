import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useTexts } from '../common/texts/language.js';
import { repeatedReads } from './client.js';
import classes from './console.module.css';

/** Tells that the service does not answer and the page goes on asking: what it shows is not yet what was asked for. */
export function RepeatNote(): ReactNode {
  const texts = useTexts();
  const note = useRef<HTMLDivElement>(null);
  const isRepeating = useSyncExternalStore(repeatedReads.subscribe, () => repeatedReads.now() > 0);
  // A popover lies above an open dialog, too.
  useEffect(() => void note.current!.togglePopover(isRepeating), [isRepeating]);
  return (
    <div ref={note} className={classes.repeating} popover="manual">
      <p role="status">{isRepeating ? texts.busy : ''}</p>
    </div>
  );
}

import type { ReactNode } from 'react';
import classes from './import.module.css';
import type { ImportState } from './useImport.js';
import { useImportTexts } from './useImportTexts.js';

/** What is going on, and how far it is. */
export function ProgressBar({ state }: { state: ImportState }): ReactNode {
  const texts = useImportTexts();
  const { label, percent } = progressOf(state);
  return (
    <div className={classes.progress}>
      <p role="status">{texts[label]}</p>
      <progress aria-label={texts[label]} max={100} {...(percent === null ? {} : { value: percent })} />
      <span>{percent === null ? '' : texts.percent(percent)}</span>
    </div>
  );
}

function progressOf(state: ImportState): {
  label: 'sending' | 'reading' | 'storing';
  percent: number | null;
} {
  if (state.step === 'sending') return { label: 'sending', percent: Math.floor(100 * state.share) };
  if (state.step !== 'storing' || !state.job) return { label: 'reading', percent: null };
  const { phase, percent, done, total } = state.job;
  const share = percent ?? (total && done !== null ? Math.floor((100 * done) / total) : null);
  return { label: phase === 'storing' ? 'storing' : 'reading', percent: share };
}

import type { ReactNode } from 'react';
import { Progress, percentOf } from '../JobProgress.js';
import type { ImportState } from './useImport.js';
import { useImportTexts } from './useImportTexts.js';

/** What is going on, and how far it is. */
export function ProgressBar({ state }: { state: ImportState }): ReactNode {
  const texts = useImportTexts();
  const { label, percent } = progressOf(state);
  return <Progress label={texts[label]} percent={percent} />;
}

function progressOf(state: ImportState): {
  label: 'sending' | 'reading' | 'storing';
  percent: number | null;
} {
  if (state.step === 'sending') return { label: 'sending', percent: Math.floor(100 * state.share) };
  if (state.step !== 'storing' || !state.job) return { label: 'reading', percent: null };
  return { label: state.job.phase === 'storing' ? 'storing' : 'reading', percent: percentOf(state.job) };
}

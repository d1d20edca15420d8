import { ClientError } from '@cartulary/client';
import { useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { useQueryTexts } from './useQueryTexts.js';

/** What is wrong with a query, and where. */
export interface QueryProblem {
  text: string;
  line?: number;
  column?: number;
}

interface RunState {
  isBusy: boolean;
  problem: QueryProblem | null;
  /** How long the last run took, ms; null: none has ended well. */
  tookMs: number | null;
}

export interface Run extends RunState {
  /** Carries out what runs the query. Throws nothing; the answer of a failure is undefined. */
  start: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

/** Runs a query, and tells how long it took or what is wrong. */
export function useRun(): Run {
  const texts = useQueryTexts();
  const consoleTexts = useConsoleTexts();
  const { texts: common } = useLanguage();
  const [state, setState] = useState<RunState>({ isBusy: false, problem: null, tookMs: null });
  const problemOf = (error: unknown): QueryProblem => {
    if (!(error instanceof ClientError)) return { text: explain(error, consoleTexts, common) };
    if (error.code === 'not_owner') return { text: texts.notOwner };
    const { problem, line, column } = error.data as { problem?: string; line?: number; column?: number };
    if (error.code !== 'query_invalid' || problem === undefined)
      return { text: explain(error, consoleTexts, common) };
    return line && column ? { text: problem, line, column } : { text: problem };
  };
  const start: Run['start'] = async (work) => {
    setState({ isBusy: true, problem: null, tookMs: null });
    const begun = performance.now();
    try {
      const answer = await work();
      setState({ isBusy: false, problem: null, tookMs: performance.now() - begun });
      return answer;
    } catch (error) {
      setState({ isBusy: false, problem: problemOf(error), tookMs: null });
      return undefined;
    }
  };
  return { ...state, start };
}

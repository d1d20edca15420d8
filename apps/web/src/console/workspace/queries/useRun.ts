import { ClientError } from '@cartulary/client';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { useMistakes } from '../../mistakes/useMistakes.js';
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
  /** Whether the user has stopped the last run. */
  isStopped: boolean;
}

export interface Run extends RunState {
  /** Carries out what runs the query. Throws nothing; the answer of a failure is undefined. */
  start: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;
  /** Stops it, in the database too. */
  stop: () => void;
}

const idle: RunState = { isBusy: false, problem: null, tookMs: null, isStopped: false };

/** Runs a query, and tells how long it took or what is wrong. A run is stopped by the user, and with its component. */
export function useRun(): Run {
  const texts = useQueryTexts();
  const consoleTexts = useConsoleTexts();
  const { texts: common } = useLanguage();
  const mistake = useMistakes();
  const [state, setState] = useState<RunState>(idle);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const problemOf = (error: unknown): QueryProblem => {
    if (!(error instanceof ClientError)) return { text: explain(error, consoleTexts, common) };
    if (error.code === 'not_owner') return { text: texts.notOwner };
    if (error.code === 'required_missing') return { text: texts.empty };
    const { problem, line, column } = error.data as { problem?: string; line?: number; column?: number };
    if (error.code !== 'query_invalid' || problem === undefined)
      return { text: explain(error, consoleTexts, common) };
    const text = mistake(problem);
    return line && column ? { text, line, column } : { text };
  };
  const start: Run['start'] = async (work) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setState({ ...idle, isBusy: true });
    const begun = performance.now();
    try {
      const answer = await work(signal);
      setState({ ...idle, tookMs: performance.now() - begun });
      return answer;
    } catch (error) {
      setState(signal.aborted ? { ...idle, isStopped: true } : { ...idle, problem: problemOf(error) });
      return undefined;
    }
  };
  return { ...state, start, stop: () => controller.current.abort() };
}

import { ClientError } from '@cartulary/client';
import { useState } from 'react';
import { useTexts } from '../common/texts/language.js';
import { explain } from './catalog/explain.js';
import { useConsoleTexts } from './texts/useConsoleTexts.js';

export interface Sending {
  isBusy: boolean;
  /** What has gone wrong, for the user; '' while nothing has. */
  problem: string;
  /** Carries out a change. Resolves to whether it is done. */
  send: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** The state of a change that a form or a button sends. `reasons`: what errors mean here, by their codes. */
export function useSending(reasons: Readonly<Record<string, string>> = {}): Sending {
  const texts = useConsoleTexts();
  const common = useTexts();
  const [state, setState] = useState({ isBusy: false, problem: '' });
  const send = async (work: () => Promise<unknown>): Promise<boolean> => {
    setState({ isBusy: true, problem: '' });
    try {
      await work();
      setState({ isBusy: false, problem: '' });
      return true;
    } catch (error) {
      const reason = error instanceof ClientError ? reasons[error.code] : undefined;
      setState({ isBusy: false, problem: reason ?? explain(error, texts, common) });
      return false;
    }
  };
  return { ...state, send };
}

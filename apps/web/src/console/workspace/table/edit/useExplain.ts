import { useCallback } from 'react';
import { useTexts } from '../../../../common/texts/language.js';
import { explain } from '../../../catalog/explain.js';
import { useConsoleTexts } from '../../../texts/useConsoleTexts.js';
import { useTableTexts } from '../useTableTexts.js';

/** Gives the message of an error for the user; of no error, that it was not tried. */
export function useExplain(): (error: unknown) => string {
  const texts = useTableTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  return useCallback(
    (error) => (error === null ? texts.notTried : explain(error, consoleTexts, common)),
    [texts, consoleTexts, common],
  );
}

import { ClientError } from '@cartulary/client';
import { useCallback } from 'react';
import { useTexts } from '../../../../common/texts/language.js';
import { explain } from '../../../catalog/explain.js';
import { useConsoleTexts } from '../../../texts/useConsoleTexts.js';
import { useTableTexts } from '../useTableTexts.js';

/**
 * Gives the message of an error for the user; of no error, that it was not tried. `type`: of the column whose value was
 * refused.
 */
export function useExplain(): (error: unknown, type?: string) => string {
  const texts = useTableTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  return useCallback(
    (error, type = '') => {
      if (error === null) return texts.notTried;
      const isValue =
        error instanceof ClientError && error.code === 'value_invalid' && error.data.columns !== undefined;
      const wrong = isValue ? consoleTexts.wrongValues[type] : undefined;
      return wrong ?? explain(error, consoleTexts, common);
    },
    [texts, consoleTexts, common],
  );
}

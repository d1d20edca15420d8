import type { AnswerOf } from '@cartulary/client';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../../common/texts/language.js';
import { explain } from '../../../catalog/explain.js';
import { clientOf } from '../../../client.js';
import { useConsoleTexts } from '../../../texts/useConsoleTexts.js';
import type { Workspace, WorkspaceItem } from '../../useWorkspace.js';
import { countViolations, isComplete, type Rule } from './rules.js';

type Counted = AnswerOf<'/api/2.8/{project}/{map}/layers/{layer}/constraints/violations/', 'post'>;

export interface Violations {
  /** null: they are not counted. */
  value: Counted | null;
  isCounting: boolean;
  /** Why they could not be counted: what is wrong with the rule. */
  problem: string;
}

/** Pause after a key before values are counted, ms. */
const pauseMs = 300;

/** The stored values that a rule would refuse, counted while it is entered. Suggestions refuse nothing. */
export function useViolations({ project, map }: Workspace, { code }: WorkspaceItem, rule: Rule): Violations {
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const [counted, setCounted] = useState<{ of: string; value: Counted | null; problem: string } | null>(null);
  const isCounted = rule.kind !== 'hint' && isComplete(rule);
  const of = JSON.stringify(rule);
  useEffect(() => {
    if (!isCounted) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      const path = { map: map.code, layer: code };
      countViolations(clientOf(project), path, JSON.parse(of) as Rule, signal).then(
        (value) => setCounted({ of, value, problem: '' }),
        (error: unknown) =>
          !signal.aborted && setCounted({ of, value: null, problem: explain(error, consoleTexts, common) }),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [project, map.code, code, of, isCounted, consoleTexts, common]);
  if (!isCounted) return { value: null, isCounting: false, problem: '' };
  return counted?.of === of
    ? { ...counted, isCounting: false }
    : { value: null, isCounting: true, problem: '' };
}

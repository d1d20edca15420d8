import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { IconPlayerStop } from '../../../common/icons.js';
import classes from './queries.module.css';
import { useQueryTexts } from './useQueryTexts.js';
import type { Run } from './useRun.js';

/** Whether a query runs, what is wrong with it, or how long it took. */
export function RunState({ run }: { run: Run }): ReactNode {
  const texts = useQueryTexts();
  const { problem, isBusy, tookMs, isStopped } = run;
  return (
    <>
      <p className={fields.problem} role="alert">
        {problem?.line && <strong>{texts.place(problem.line, problem.column!)}: </strong>}
        {problem?.text}
      </p>
      <div className={classes.state}>
        <span role="status" className={classes.state}>
          {isBusy && (
            <>
              <Loader size="xs" /> {texts.running}
            </>
          )}
          {tookMs !== null && texts.took(tookMs)}
          {isStopped && texts.stopped}
        </span>
        {isBusy && (
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconPlayerStop size={18} aria-hidden />}
            onClick={run.stop}
          >
            {texts.stop}
          </Button>
        )}
      </div>
    </>
  );
}

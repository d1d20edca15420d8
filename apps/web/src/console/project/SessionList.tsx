import type { AnswerOf } from '@cartulary/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import fields from '../../common/fields.module.css';
import { useLanguage } from '../../common/texts/language.js';
import { dateAndTime } from '../../common/times.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';

type Session = AnswerOf<'/api/2.8/{project}/login/sessions/', 'get'>[number];

interface SessionListProps {
  project: string;
  read: (signal: AbortSignal) => Promise<Session[]>;
  endOne: (session: string) => Promise<unknown>;
  /** Ends all but that of this page. */
  endOthers: () => Promise<unknown>;
}

/** The sessions of a user, each with a token that can be revoked. */
export function SessionList({ project, read, endOne, endOthers }: SessionListProps): ReactNode {
  const texts = useProjectTexts();
  const { ui } = useLanguage();
  const { value, error, reload } = useLoaded(project, read);
  const { isBusy, problem, send } = useSending();
  const time = dateAndTime(ui);
  const end = async (work: () => Promise<unknown>): Promise<void> => {
    if (await send(work)) reload();
  };
  if (!value) return <Unloaded error={error} project={project} onRetry={reload} />;
  const others = value.filter(({ current }) => !current);
  return (
    <>
      {value.length === 0 && <p className={classes.hint}>{texts.noSessions}</p>}
      <ul className={classes.list}>
        {value.map(({ id, kind, name, project: of, last_used, ends, current }) => (
          <li key={id}>
            <span>
              {[texts.sessionKinds[kind], name].join(' ').trim()}, {of}
              <small>{current ? texts.thisSession : texts.lastUsed(time.format(new Date(last_used)))}</small>
              {kind === 'key' && <small>{texts.endsUnused(time.format(new Date(ends)))}</small>}
            </span>
            {!current && (
              <Button
                variant="light"
                size="compact-md"
                disabled={isBusy}
                onClick={() => void end(() => endOne(id))}
              >
                {texts.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      {others.length > 1 || (others.length === 1 && value.length > 1) ? (
        <Button variant="default" disabled={isBusy} onClick={() => void end(endOthers)}>
          {others.length === value.length ? texts.endAll : texts.endOthers}
        </Button>
      ) : null}
    </>
  );
}

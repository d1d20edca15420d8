import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import { useLanguage } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';

/** The own password, and where the user is signed in. */
export function Account({ project }: { project: string }): ReactNode {
  return (
    <div className={classes.parts}>
      <Password project={project} />
      <SessionList project={project} />
    </div>
  );
}

function Password({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [news, setNews] = useState('');
  const { isBusy, problem, send } = useSending();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setNews('');
    const body = { password: present, new_password: next };
    if (!(await send(() => clientOf(project).put('/api/2.8/{project}/login/password/', { body })))) return;
    setPresent('');
    setNext('');
    setNews(texts.passwordChanged);
  };
  return (
    <section aria-label={texts.ownPassword}>
      <h2>{texts.ownPassword}</h2>
      <form className={`${fields.form} ${fields.narrow}`} onSubmit={(event) => void submit(event)}>
        <label className={fields.field}>
          <span>{texts.presentPassword}</span>
          <input
            type="password"
            autoComplete="current-password"
            required
            value={present}
            onChange={(event) => setPresent(event.currentTarget.value)}
          />
        </label>
        <label className={fields.field}>
          <span>{texts.newPassword}</span>
          <input
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={1024}
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
        </label>
        <p className={fields.hint}>{texts.passwordHint}</p>
        <p className={fields.problem} role="alert">
          {problem}
        </p>
        <Button type="submit" loading={isBusy}>
          {texts.changePassword}
        </Button>
        <p className={classes.news} role="status">
          {news}
        </p>
      </form>
    </section>
  );
}

function SessionList({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const { ui } = useLanguage();
  const { value, error, reload } = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/{project}/login/sessions/', { signal }),
  );
  const { isBusy, problem, send } = useSending();
  const time = new Intl.DateTimeFormat(ui, { dateStyle: 'medium', timeStyle: 'short' });
  const end = async (work: () => Promise<unknown>): Promise<void> => {
    if (await send(work)) reload();
  };
  const endOne = (session: string): Promise<unknown> =>
    clientOf(project).delete('/api/2.8/{project}/login/sessions/{session}/', {
      params: { path: { session } },
    });
  const endOthers = (): Promise<unknown> => clientOf(project).delete('/api/2.8/{project}/login/sessions/');
  return (
    <section aria-label={texts.sessions}>
      <h2>{texts.sessions}</h2>
      {!value && <Unloaded error={error} project={project} onRetry={reload} />}
      <ul className={classes.list}>
        {value?.map(({ id, kind, project: of, last_used, current }) => (
          <li key={id}>
            <span>
              {texts.sessionKinds[kind]}, {of}
              <small>{current ? texts.thisSession : texts.lastUsed(time.format(new Date(last_used)))}</small>
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
      {value && value.length > 1 && (
        <Button variant="default" disabled={isBusy} onClick={() => void end(endOthers)}>
          {texts.endOthers}
        </Button>
      )}
    </section>
  );
}

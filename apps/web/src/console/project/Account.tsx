import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import { useSending } from '../useSending.js';
import { Keys } from './Keys.js';
import classes from './project.module.css';
import { SessionList } from './SessionList.js';
import { useProjectTexts } from './texts/useProjectTexts.js';

/** The own password, keys for programs, and where the user is signed in. */
export function Account({ project }: { project: string }): ReactNode {
  const [keysMade, setKeysMade] = useState(0);
  return (
    <div className={classes.parts}>
      <Password project={project} />
      <Keys project={project} onMade={() => setKeysMade(keysMade + 1)} />
      <OwnSessions key={keysMade} project={project} />
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

/** Where the user is signed in. */
function OwnSessions({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const client = clientOf(project);
  return (
    <section aria-label={texts.sessions}>
      <h2>{texts.sessions}</h2>
      <SessionList
        project={project}
        read={(signal) => client.get('/api/2.8/{project}/login/sessions/', { signal })}
        endOne={(session) =>
          client.delete('/api/2.8/{project}/login/sessions/{session}/', { params: { path: { session } } })
        }
        endOthers={() => client.delete('/api/2.8/{project}/login/sessions/')}
      />
    </section>
  );
}

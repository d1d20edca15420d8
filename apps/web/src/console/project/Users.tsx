import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus } from '../../common/icons.js';
import { clientOf } from '../client.js';
import type { Overview } from '../rights/overview.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { DeleteUser } from './DeleteUser.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';
import { UserForm } from './UserForm.js';
import { UserSessions } from './UserSessions.js';

export type ListedUser = Overview['users'][number];

/** Who can sign in to the project: made, changed and deleted by its administrators. */
export function Users({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const { value, error, reload } = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/{project}/rights/overview/', { signal }),
  );
  const [open, setOpen] = useState<
    { form: string | null } | { doomed: string } | { sessions: string } | null
  >(null);
  const [news, setNews] = useState('');
  if (error instanceof ClientError && error.status === 403)
    return <p className={classes.hint}>{texts.onlyAdministrators}</p>;
  if (!value) return <Unloaded error={error} project={project} onRetry={reload} />;
  const close = (): void => setOpen(null);
  const done = (text: string): void => {
    close();
    setNews(text);
    reload();
  };
  return (
    <>
      <div className={classes.head}>
        <p className={classes.news} role="status">
          {news || texts.userCount(value.users.length)}
        </p>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ form: null })}>
          {texts.newUser}
        </Button>
      </div>
      <UserTable
        users={value.users}
        onEdit={(login) => setOpen({ form: login })}
        onSessions={(login) => setOpen({ sessions: login })}
        onDelete={(login) => setOpen({ doomed: login })}
      />
      {open && 'form' in open && (
        <UserForm project={project} login={open.form} onClose={close} onDone={done} />
      )}
      {open && 'sessions' in open && <UserSessions project={project} login={open.sessions} onClose={close} />}
      {open && 'doomed' in open && (
        <DeleteUser project={project} login={open.doomed} onClose={close} onDone={done} />
      )}
    </>
  );
}

interface UserTableProps {
  users: readonly ListedUser[];
  onEdit: (login: string) => void;
  onSessions: (login: string) => void;
  onDelete: (login: string) => void;
}

function UserTable({ users, ...on }: UserTableProps): ReactNode {
  const texts = useProjectTexts();
  if (!users.length) return <p className={classes.hint}>{texts.noUsers}</p>;
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{texts.login}</th>
            <th scope="col">{texts.name}</th>
            <th scope="col">{texts.groups}</th>
            <th scope="col">
              <span className={classes.hidden}>{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map(({ login, name, groups }) => (
            <tr key={login}>
              <th scope="row">{login}</th>
              <td>{name}</td>
              <td data-label={texts.groups}>{groups.join(', ')}</td>
              <td className={classes.buttons}>
                {(['Edit', 'Sessions', 'Delete'] as const).map((what) => (
                  <Button
                    key={what}
                    variant={what === 'Edit' ? 'light' : 'default'}
                    size="compact-md"
                    aria-label={texts.userActions[what](login)}
                    onClick={() => on[`on${what}`](login)}
                  >
                    {texts.userButtons[what]}
                  </Button>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import type { ReactNode } from 'react';
import { Dialog } from '../../common/Dialog.js';
import { clientOf } from '../client.js';
import classes from './project.module.css';
import { SessionList } from './SessionList.js';
import { useProjectTexts } from './texts/useProjectTexts.js';

interface UserSessionsProps {
  project: string;
  login: string;
  onClose: () => void;
}

/** Where a user is signed in, for administrators. */
export function UserSessions({ project, login, onClose }: UserSessionsProps): ReactNode {
  const texts = useProjectTexts();
  const client = clientOf(project);
  const path = { login };
  return (
    <Dialog title={texts.sessionsOf(login)} onClose={onClose}>
      <p className={classes.hint}>{texts.sessionsHint}</p>
      <SessionList
        project={project}
        read={(signal) =>
          client.get('/api/2.8/{project}/users/{login}/sessions/', { params: { path }, signal })
        }
        endOne={(session) =>
          client.delete('/api/2.8/{project}/users/{login}/sessions/{session}/', {
            params: { path: { ...path, session } },
          })
        }
        endOthers={() => client.delete('/api/2.8/{project}/users/{login}/sessions/', { params: { path } })}
      />
    </Dialog>
  );
}

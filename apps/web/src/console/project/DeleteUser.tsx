import type { ReactNode } from 'react';
import { clientOf } from '../client.js';
import { DeleteDialog } from '../deletion/DeleteDialog.js';
import { useProjectTexts } from './texts/useProjectTexts.js';

interface DeleteUserProps {
  project: string;
  login: string;
  onClose: () => void;
  onDone: (news: string) => void;
}

/** Asks before a user is deleted. */
export function DeleteUser({ project, login, onClose, onDone }: DeleteUserProps): ReactNode {
  const texts = useProjectTexts();
  const params = { path: { login } };
  return (
    <DeleteDialog
      project={project}
      doomed={{ user: login }}
      title={texts.deleteUser}
      name={login}
      note={texts.deletesUser(login)}
      remove={() => clientOf(project).delete('/api/2.8/{project}/users/{login}/', { params })}
      onClose={onClose}
      onDone={() => onDone(texts.deletedUser(login))}
    />
  );
}

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import { useSending } from '../useSending.js';
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
  const { isBusy, problem, send } = useSending();
  const remove = async (): Promise<void> => {
    const params = { path: { login } };
    const isDone = await send(() =>
      clientOf(project).delete('/api/2.8/{project}/users/{login}/', { params }),
    );
    if (isDone) onDone(texts.deletedUser(login));
  };
  return (
    <Dialog title={texts.deleteUser} onClose={onClose}>
      <p>{texts.deletesUser(login)}</p>
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      <Button color="red.8" fullWidth size="md" loading={isBusy} onClick={() => void remove()}>
        {texts.deleteNow}
      </Button>
    </Dialog>
  );
}

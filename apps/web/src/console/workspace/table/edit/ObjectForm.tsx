import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { useWorkspaceTexts } from '../../texts/useWorkspaceTexts.js';
import { useExplain } from './useExplain.js';

interface ObjectFormProps {
  title: string;
  hint: string;
  /** Text of the button that carries it out. */
  action: string;
  isDestructive?: boolean;
  isDisabled?: boolean;
  onClose: () => void;
  onSubmit: () => Promise<void>;
  children?: ReactNode;
}

/** A dialog that changes objects. It stays open, with what was entered, where that fails. */
export function ObjectForm(props: ObjectFormProps): ReactNode {
  const { title, hint, action, isDestructive, isDisabled = false, onClose, onSubmit, children } = props;
  const { cancel } = useWorkspaceTexts();
  const explain = useExplain();
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setState({ isBusy: true, error: null });
    onSubmit().catch((error: unknown) => setState({ isBusy: false, error }));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={fields.form} onSubmit={submit}>
        <p className={fields.hint}>{hint}</p>
        {children}
        <p className={fields.problem} role="alert">
          {state.error ? explain(state.error) : ''}
        </p>
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            size="md"
            color={isDestructive ? 'red.9' : undefined}
            loading={state.isBusy}
            disabled={isDisabled}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

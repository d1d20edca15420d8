import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { CodeField } from '../CodeField.js';
import { clientOf } from '../client.js';
import { goTo, pathOf } from '../router.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { useSending } from '../useSending.js';
import { codeFor } from './codeFor.js';

interface MakeMapProps {
  project: string;
  onClose: () => void;
}

/** The dialog that creates a map, and opens it. */
export function MakeMap({ project, onClose }: MakeMapProps): ReactNode {
  const texts = useConsoleTexts();
  const [name, setName] = useState('');
  /** null: the code follows the name. */
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const [isPublic, setPublic] = useState(false);
  const { isBusy, problem: told, send } = useSending();
  const problem = useId();
  const code = ownCode ?? codeFor(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Without a background the layers lie over the base map.
    const body = { code, name: name.trim(), has_publication: isPublic, css_style: '' };
    void send(() => clientOf(project).post('/api/2.8/{project}/', { body })).then(
      (isDone) => isDone && goTo(pathOf(project, code) + location.search),
    );
  };
  return (
    <Dialog title={texts.newMap} onClose={onClose}>
      <form className={fields.form} onSubmit={submit}>
        <label className={fields.field}>
          <span>{texts.mapName}</span>
          <input value={name} maxLength={1000} onChange={(event) => setName(event.currentTarget.value)} />
        </label>
        <CodeField
          label={texts.mapCode}
          hint={texts.mapCodeHint}
          code={code}
          onChange={setOwnCode}
          isRequired
          problem={{ id: problem, isTold: told !== '' }}
        />
        <label className={fields.check}>
          <input
            type="checkbox"
            checked={isPublic}
            onChange={(event) => setPublic(event.currentTarget.checked)}
          />
          <span>{texts.isPublic}</span>
        </label>
        <p className={fields.hint}>{texts.isPublicHint}</p>
        <p id={problem} className={fields.problem} role="alert">
          {told}
        </p>
        <Button type="submit" size="md" loading={isBusy} fullWidth>
          {texts.make}
        </Button>
      </form>
    </Dialog>
  );
}

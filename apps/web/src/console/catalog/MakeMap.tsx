import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { useTexts } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { codeFor } from './codeFor.js';
import { explain } from './explain.js';

interface MakeMapProps {
  project: string;
  onClose: () => void;
  onDone: (news: string) => void;
}

/** The dialog that creates a map. */
export function MakeMap({ project, onClose, onDone }: MakeMapProps): ReactNode {
  const texts = useConsoleTexts();
  const [name, setName] = useState('');
  /** null: the code follows the name. */
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const [isPublic, setPublic] = useState(false);
  const [state, make] = useMaking(project, onDone);
  const [hint, problem] = [useId(), useId()];
  const code = ownCode ?? codeFor(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make({ code, name: name.trim(), has_publication: isPublic });
  };
  return (
    <Dialog title={texts.newMap} onClose={onClose}>
      <form className={fields.form} onSubmit={submit}>
        <label className={fields.field}>
          <span>{texts.mapName}</span>
          <input value={name} maxLength={1000} onChange={(event) => setName(event.currentTarget.value)} />
        </label>
        <label className={fields.field}>
          <span>{texts.mapCode}</span>
          <input
            value={code}
            required
            maxLength={63}
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={`${hint} ${problem}`}
            aria-invalid={state.error !== ''}
            onChange={(event) => setOwnCode(event.currentTarget.value)}
          />
        </label>
        <p id={hint} className={fields.hint}>
          {texts.mapCodeHint}
        </p>
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
          {state.error}
        </p>
        <Button type="submit" size="md" loading={state.isBusy} fullWidth>
          {texts.make}
        </Button>
      </form>
    </Dialog>
  );
}

interface NewMap {
  code: string;
  name: string;
  has_publication: boolean;
}

/** The state of the request that creates a map, and the function that sends it. */
function useMaking(
  project: string,
  onDone: (news: string) => void,
): [{ isBusy: boolean; error: string }, (map: NewMap) => void] {
  const texts = useConsoleTexts();
  const common = useTexts();
  const [state, setState] = useState({ isBusy: false, error: '' });
  const make = (map: NewMap): void => {
    setState({ isBusy: true, error: '' });
    clientOf(project)
      .post('/api/2.8/{project}/', { body: map })
      .then(
        () => onDone(texts.made(map.name || map.code)),
        (error: unknown) => setState({ isBusy: false, error: explain(error, texts, common) }),
      );
  };
  return [state, make];
}

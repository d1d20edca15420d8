import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { CodeField } from '../CodeField.js';
import { codeFor } from '../catalog/codeFor.js';
import { clientOf, serviceClient } from '../client.js';
import { useSending } from '../useSending.js';
import { useAdministrationTexts } from './texts/useAdministrationTexts.js';
import type { ListedProject } from './types.js';

interface ProjectFormProps {
  /** The project whose session is used. */
  session: string;
  /** null: a new project. */
  stored: ListedProject | null;
  onClose: () => void;
  onDone: (news: string) => void;
}

/** The dialog of a new project, or of one that is there. */
export function ProjectForm({ session, stored, onClose, onDone }: ProjectFormProps): ReactNode {
  const texts = useAdministrationTexts();
  const [name, setName] = useState(stored?.name ?? '');
  /** null: the code follows the name. */
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const [languages, setLanguages] = useState((stored?.languages ?? ['en']).join(', '));
  const { isBusy, problem, send } = useSending(texts.codeProblems);
  const told = useId();
  const code = stored?.code ?? ownCode ?? codeFor(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const body = { name: name.trim(), languages: languages.split(/[\s,]+/).filter(Boolean) };
    const work = (): Promise<unknown> =>
      stored
        ? serviceClient(session, code).patch('/api/2.8/{project}/', { body })
        : clientOf(session).post('/api/2.8/', { body: { ...body, code } });
    void send(work).then(
      (isDone) => isDone && onDone(stored ? texts.savedProject(code) : texts.madeProject(code)),
    );
  };
  return (
    <Dialog title={stored ? texts.projectTitle(code) : texts.newProject} onClose={onClose}>
      <form className={fields.form} onSubmit={submit} autoComplete="off">
        <label className={fields.field}>
          <span>{texts.name}</span>
          <input value={name} maxLength={1000} onChange={(event) => setName(event.currentTarget.value)} />
        </label>
        {!stored && (
          <CodeField
            label={texts.code}
            hint={texts.codeHint}
            code={code}
            onChange={setOwnCode}
            isRequired
            problem={{ id: told, isTold: problem !== '' }}
          />
        )}
        <LanguagesField value={languages} onChange={setLanguages} />
        <p id={told} className={fields.problem} role="alert">
          {problem}
        </p>
        <Button type="submit" size="md" loading={isBusy} fullWidth>
          {stored ? texts.save : texts.makeProject}
        </Button>
      </form>
    </Dialog>
  );
}

interface LanguagesFieldProps {
  /** Codes of languages with commas between them. */
  value: string;
  onChange: (value: string) => void;
}

function LanguagesField({ value, onChange }: LanguagesFieldProps): ReactNode {
  const texts = useAdministrationTexts();
  const hint = useId();
  return (
    <>
      <label className={fields.field}>
        <span>{texts.languages}</span>
        <input
          value={value}
          required
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={hint}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <p id={hint} className={fields.hint}>
        {texts.languagesHint}
      </p>
    </>
  );
}

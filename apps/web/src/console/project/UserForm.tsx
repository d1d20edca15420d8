import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import { useProjectTexts } from './texts/useProjectTexts.js';

interface UserFormProps {
  project: string;
  /** null: a new user. */
  login: string | null;
  onClose: () => void;
  onDone: (news: string) => void;
}

interface UserDraft {
  login: string;
  name: string;
  email: string;
  groups: string[];
  guiAccess: boolean;
  publicAccess: boolean;
}

const blank: UserDraft = { login: '', name: '', email: '', groups: [], guiAccess: true, publicAccess: true };

/** The dialog of a new user, or of one that is there. */
export function UserForm(props: UserFormProps): ReactNode {
  const { login, onClose } = props;
  const texts = useProjectTexts();
  return (
    <Dialog title={login === null ? texts.newUser : texts.userTitle(login)} onClose={onClose}>
      {login === null ? <Fields {...props} stored={blank} /> : <StoredFields {...props} login={login} />}
    </Dialog>
  );
}

/** The fields of a user that is there. */
function StoredFields(props: UserFormProps & { login: string }): ReactNode {
  const { project, login } = props;
  const { value, error, reload } = useLoaded(`${project}/${login}`, (signal) =>
    clientOf(project).get('/api/2.8/{project}/users/info/', { params: { query: { login } }, signal }),
  );
  if (!value) return <Unloaded error={error} project={project} onRetry={reload} />;
  return <Fields {...props} stored={value} />;
}

const textFields = ['login', 'name', 'email'] as const;
const switches = ['guiAccess', 'publicAccess'] as const;

function Fields({ project, login, onDone, stored }: UserFormProps & { stored: UserDraft }): ReactNode {
  const texts = useProjectTexts();
  const [draft, setDraft] = useState(stored);
  const [groups, setGroups] = useState(stored.groups.join(', '));
  const [password, setPassword] = useState('');
  const { isBusy, problem, send } = useSending(texts.loginProblems);
  const set = (change: Partial<UserDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const names = groups
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const { login: wanted, name, email, guiAccess, publicAccess } = draft;
    const body = { login: wanted, name, email, guiAccess, publicAccess, groups: names };
    const isDone = await send(() => store(project, login, { ...body, password }));
    if (isDone) onDone(login === null ? texts.madeUser(wanted) : texts.savedUser(wanted));
  };
  return (
    <form className={fields.form} onSubmit={(event) => void submit(event)} autoComplete="off">
      {textFields.map((key) => (
        <label key={key} className={fields.field}>
          <span>{texts[key]}</span>
          <input
            value={draft[key]}
            required={key === 'login'}
            type={key === 'email' ? 'email' : 'text'}
            maxLength={key === 'login' ? 63 : 1000}
            autoCapitalize={key === 'name' ? undefined : 'none'}
            onChange={(event) => set({ [key]: event.currentTarget.value })}
          />
        </label>
      ))}
      <label className={fields.field}>
        <span>{texts.groups}</span>
        <input value={groups} onChange={(event) => setGroups(event.currentTarget.value)} />
      </label>
      <p className={fields.hint}>{texts.groupsHint}</p>
      <PasswordField isNew={login === null} value={password} onChange={setPassword} />
      {switches.map((key) => (
        <label key={key} className={fields.check}>
          <input
            type="checkbox"
            checked={draft[key]}
            onChange={(event) => set({ [key]: event.currentTarget.checked })}
          />
          <span>{texts[key]}</span>
        </label>
      ))}
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {login === null ? texts.makeUser : texts.save}
      </Button>
    </form>
  );
}

interface PasswordFieldProps {
  /** Whether the user is new, and so needs one. */
  isNew: boolean;
  value: string;
  onChange: (password: string) => void;
}

function PasswordField({ isNew, value, onChange }: PasswordFieldProps): ReactNode {
  const texts = useProjectTexts();
  return (
    <>
      <label className={fields.field}>
        <span>{isNew ? texts.password : texts.newPassword}</span>
        <input
          type="password"
          autoComplete="new-password"
          value={value}
          required={isNew}
          minLength={8}
          maxLength={1024}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      {!isNew && <p className={fields.hint}>{texts.newPasswordHint}</p>}
    </>
  );
}

/** Stores a user; without a password the old one stays. */
function store(
  project: string,
  login: string | null,
  { password, ...body }: UserDraft & { password: string },
): Promise<unknown> {
  const client = clientOf(project);
  if (login === null) return client.post('/api/2.8/{project}/users/', { body: { ...body, password } });
  return client.patch('/api/2.8/{project}/users/{login}/', {
    params: { path: { login } },
    body: password ? { ...body, password } : body,
  });
}

import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../Dialog.js';
import fields from '../fields.module.css';
import { useTexts } from '../texts/language.js';
import type { Texts } from '../texts/texts.js';
import { useSessions } from './session.js';

interface SignInFormProps {
  /** Project of the user; null: the form has a field for it. */
  project: string | null;
  /** Initial value of the login. */
  login?: string | undefined;
  /** Called after success. */
  onDone?: () => void;
}

/** The sign-in form. */
export function SignInForm({ project, login, onDone }: SignInFormProps): ReactNode {
  const texts = useTexts();
  const sessions = useSessions();
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null });
  const problem = useId();
  const fixed = project ?? sessions.project;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form)) as Record<string, string>;
    setState({ busy: true, error: null });
    const credentials = {
      project: fixed ?? values.project!.trim(),
      login: values.login!.trim(),
      password: values.password!,
    };
    sessions.signIn(credentials).then(onDone, (error: unknown) => {
      setState({ busy: false, error: messageOf(error, texts) });
      form.querySelector<HTMLInputElement>('[name=password]')?.select();
    });
  };
  const described = state.error ? { 'aria-describedby': problem, 'aria-invalid': true } : {};
  return (
    <form className={`${fields.form} ${fields.narrow}`} onSubmit={submit}>
      {fixed === null && (
        <Field label={texts.project}>
          <input
            name="project"
            required
            maxLength={63}
            autoCapitalize="none"
            spellCheck={false}
            {...described}
          />
        </Field>
      )}
      <Field label={texts.login}>
        <input
          name="login"
          required
          maxLength={63}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={login}
          {...described}
        />
      </Field>
      <Field label={texts.password}>
        <input name="password" type="password" required autoComplete="current-password" {...described} />
      </Field>
      <p id={problem} className={fields.problem} role="alert">
        {state.error}
      </p>
      <Button type="submit" size="md" loading={state.busy} fullWidth>
        {texts.signIn}
      </Button>
    </form>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is its child
    <label className={fields.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}

function messageOf(error: unknown, texts: Texts): string {
  if (!(error instanceof ClientError)) return texts.failed;
  if (error.code === 'login_failed') return texts.loginFailed;
  if (error.code === 'project_not_found') return texts.noProject;
  if (error.status === 429) return texts.tooManyLogins;
  return error.status === 0 ? texts.unreachable : texts.failed;
}

interface SignInDialogProps extends SignInFormProps {
  title: string;
  onClose: () => void;
}

/** The sign-in form as a modal dialog, which closes after success. */
export function SignInDialog({ title, onClose, ...form }: SignInDialogProps): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <SignInForm {...form} onDone={onClose} />
    </Dialog>
  );
}

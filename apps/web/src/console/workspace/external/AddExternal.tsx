import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useLanguage } from '../../../common/texts/language.js';
import { codeFor } from '../../catalog/codeFor.js';
import { clientOf } from '../../client.js';
import { useSending } from '../../useSending.js';
import { freeCode } from '../dialogs/freeCode.js';
import type { Workspace } from '../useWorkspace.js';
import { ExternalFields } from './ExternalFields.js';
import { blankSource, settingsOf } from './externalSource.js';
import { useExternalTexts } from './useExternalTexts.js';

interface AddExternalProps {
  workspace: Workspace;
  /** The folder that it is put in; null: the map. */
  parent: number | null;
  onClose: () => void;
  onDone: (made: { name: string; code: string }) => void;
}

/** The dialog that adds a layer with the pictures of another server. */
export default function AddExternal({ workspace, parent, onClose, onDone }: AddExternalProps): ReactNode {
  const texts = useExternalTexts();
  const { ui } = useLanguage();
  const [title, setTitle] = useState('');
  const [form, setForm] = useState(blankSource);
  const { isBusy, problem, send } = useSending();
  const problemId = useId();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const name = title.trim();
    const code = freeCode(codeFor(name), 'layer', workspace);
    let made = { code, name };
    void send(async () => {
      const layer = await clientOf(workspace.project).post('/api/2.8/{project}/{map}/layers/', {
        params: { path: { map: workspace.map.code }, query: { lng: ui } },
        body: {
          ...(code ? { code } : {}),
          ...{ name, type: 'external', json: settingsOf(form) },
          parent_id: parent ?? workspace.map.id,
        },
      });
      made = { code: layer.code, name: name || layer.code };
    }).then((isDone) => isDone && onDone(made));
  };
  return (
    <Dialog title={texts.newExternal} onClose={onClose}>
      <form className={fields.form} onSubmit={submit} autoComplete="off">
        <label className={fields.field}>
          <span>{texts.title}</span>
          <input value={title} maxLength={1000} onChange={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <ExternalFields form={form} problem={problemId} onChange={setForm} />
        <p id={problemId} className={fields.problem} role="alert">
          {problem}
        </p>
        <Button type="submit" size="md" loading={isBusy} fullWidth>
          {texts.make}
        </Button>
      </form>
    </Dialog>
  );
}

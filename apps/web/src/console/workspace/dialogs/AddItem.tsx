import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useLanguage } from '../../../common/texts/language.js';
import { CodeField } from '../../CodeField.js';
import { codeFor } from '../../catalog/codeFor.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Workspace } from '../useWorkspace.js';
import { freeCode } from './freeCode.js';
import { GeometryChoice, type GeometryKind, styleFor } from './GeometryChoice.js';

interface AddItemProps {
  workspace: Workspace;
  kind: 'layer' | 'folder';
  /** The folder that it is put in; null: the map. */
  parent: number | null;
  onClose: () => void;
  onDone: (made: { id: number; name: string; code: string }) => void;
}

/** The dialog that adds an empty layer or a folder. */
export function AddItem({ workspace, kind, parent, onClose, onDone }: AddItemProps): ReactNode {
  const texts = useWorkspaceTexts();
  const consoleTexts = useConsoleTexts();
  const { ui, texts: common } = useLanguage();
  const [title, setTitle] = useState('');
  /** null: the code follows the title. */
  const [ownCode, setOwnCode] = useState<string | null>(null);
  const [geometry, setGeometry] = useState<GeometryKind>('any');
  const [state, setState] = useState({ isBusy: false, error: '' });
  const problem = useId();
  const code = ownCode ?? freeCode(codeFor(title), kind, workspace);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setState({ isBusy: true, error: '' });
    const name = title.trim();
    const input = { name, ...(code ? { code } : {}), parent_id: parent ?? workspace.map.id };
    const style = styleFor(geometry);
    makeItem(workspace, kind, { input, style, lng: ui }).then(
      (item) => onDone({ id: item.id, code: item.code, name: name || item.code }),
      (error: unknown) => setState({ isBusy: false, error: explain(error, consoleTexts, common) }),
    );
  };
  return (
    <Dialog title={kind === 'layer' ? texts.newLayer : texts.newFolder} onClose={onClose}>
      <form className={fields.form} onSubmit={submit}>
        <label className={fields.field}>
          <span>{texts.title}</span>
          <input value={title} maxLength={1000} onChange={(event) => setTitle(event.currentTarget.value)} />
        </label>
        <CodeField
          label={texts.code}
          hint={texts.codeHint}
          code={code}
          onChange={setOwnCode}
          problem={{ id: problem, isTold: state.error !== '' }}
        />
        {kind === 'layer' && <GeometryChoice value={geometry} onChange={setGeometry} />}
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

/** Makes a folder, or a layer with the style that it begins with. */
function makeItem(
  { project, map }: Workspace,
  kind: 'layer' | 'folder',
  { input, style, lng }: { input: object; style: object; lng: string },
): Promise<{ id: number; code: string }> {
  const params = { path: { map: map.code }, query: { lng } };
  const client = clientOf(project);
  if (kind === 'folder') return client.post('/api/2.8/{project}/{map}/folders/', { params, body: input });
  return client.post('/api/2.8/{project}/{map}/layers/', { params, body: { ...input, ...style } });
}

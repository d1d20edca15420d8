import { renameLayerInStyle } from '@cartulary/cartocss/editor';
import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { changeTo, type Look } from './look.js';
import classes from './style.module.css';

interface CopyStyleProps {
  workspace: Workspace;
  item: WorkspaceItem;
  look: Look;
  /** Called with the code of the layer that has the style as a draft now. */
  onCopied: (layer: string) => void;
}

/** Gives the style to another layer, as a draft. */
export function CopyStyle({ workspace, item, look, onCopied }: CopyStyleProps): ReactNode {
  const texts = useWorkspaceTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const id = useId();
  const [error, setError] = useState<unknown>(null);
  const others = workspace.items.filter(
    ({ id: other, type, access }) => other !== item.id && type !== 'folder' && access >= rights.edit,
  );
  const [chosen, setChosen] = useState('');
  const layer = chosen || (others[0]?.code ?? '');
  if (!others.length) return null;
  const copy = async (): Promise<void> => {
    const css = renameLayerInStyle(look.css, item.code, layer);
    const params = { path: { map: workspace.map.code, layer } };
    await clientOf(workspace.project).put('/api/2.8/{project}/{map}/layers/{layer}/draft/', {
      params,
      body: changeTo({ ...look, css }),
    });
    onCopied(layer);
  };
  return (
    <details className={classes.copy}>
      <summary>{texts.copyStyle}</summary>
      <div className={fields.field}>
        <label htmlFor={id}>{texts.copyTo}</label>
        <select id={id} value={layer} onChange={(event) => setChosen(event.currentTarget.value)}>
          {others.map(({ code, name }) => (
            <option key={code} value={code}>
              {name || code}
            </option>
          ))}
        </select>
      </div>
      <p className={fields.problem} role="alert">
        {error ? explain(error, consoleTexts, common) : ''}
      </p>
      <Button variant="default" onClick={() => void copy().catch(setError)}>
        {texts.copyAsDraft}
      </Button>
    </details>
  );
}

import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { clientOf } from '../../client.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import classes from './inspector.module.css';
import { type Publication, publicationOf, withPublication } from './publication.js';

interface PublicationChoiceProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
}

/** How the map page has a layer or folder. */
export function PublicationChoice({ workspace, item, changes }: PublicationChoiceProps): ReactNode {
  const texts = useWorkspaceTexts();
  /** The choice that is on its way. */
  const [sent, setSent] = useState<Publication | null>(null);
  const labels = { shown: texts.shownAtStart, listed: texts.listedOff, hidden: texts.hidden };
  const choose = async (publication: Publication): Promise<void> => {
    setSent(publication);
    try {
      await clientOf(workspace.project).post('/api/2.8/{project}/{map}/publish/', {
        params: { path: { map: workspace.map.code }, header: { 'if-match': workspace.etag } },
        body: withPublication(workspace, item.id, publication),
      });
      await workspace.reload();
      changes.tell(texts.saved(item.name || item.code));
    } catch (error) {
      changes.tellProblem(error);
      await workspace.reload();
    }
    setSent(null);
  };
  return (
    <fieldset className={classes.choice} disabled={sent !== null}>
      <legend>{texts.onMapPage}</legend>
      {(['shown', 'listed', 'hidden'] as const).map((one) => (
        <label key={one} className={fields.check}>
          <input
            type="radio"
            name="publication"
            checked={(sent ?? publicationOf(workspace.published, item.id)) === one}
            onChange={() => void choose(one)}
          />
          <span>{labels[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

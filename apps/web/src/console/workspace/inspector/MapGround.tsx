import { backgroundIn, withBackground } from '@cartulary/cartocss/editor';
import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { clientOf } from '../../client.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import type { Workspace } from '../useWorkspace.js';
import { isOverBaseMap } from './baseMap.js';
import classes from './inspector.module.css';

interface MapGroundProps {
  workspace: Workspace;
  /** The version of the map that is changed. */
  etag: string;
  changes: Changes;
}

/** A quiet colour, for who wants one. Not that of new maps, which stands for the base map. */
const quiet = '#eef2f4';

/** What lies below the layers: the base map of the pages, or one colour. */
export function MapGround({ workspace, etag, changes }: MapGroundProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { project, map } = workspace;
  const stored = isOverBaseMap(map.css_style) ? null : backgroundIn(map.css_style);
  const [picked, setPicked] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (color: string | null): Promise<void> => {
    if (color === stored) return;
    setBusy(true);
    try {
      await clientOf(project).patch('/api/2.8/{project}/{map}/', {
        params: { path: { map: map.code }, header: { 'if-match': etag } },
        body: { css_style: withBackground(map.css_style, color) },
      });
      changes.tell(texts.saved(map.name || map.code));
    } catch (error) {
      changes.tellProblem(error);
    }
    await workspace.reload();
    setPicked(null);
    setBusy(false);
  };
  return (
    <fieldset className={classes.choice} disabled={isBusy}>
      <legend>{texts.belowLayers}</legend>
      {([null, stored ?? quiet] as const).map((color) => (
        <label key={color && 'color'} className={fields.check}>
          <input
            type="radio"
            name="ground"
            checked={(stored === null) === (color === null)}
            onChange={() => void save(color)}
          />
          <span>{color === null ? texts.baseMap : texts.oneColor}</span>
        </label>
      ))}
      {stored !== null && (
        <input
          type="color"
          className={classes.ground}
          aria-label={texts.groundColor}
          value={picked ?? (/^#[0-9a-f]{6}$/i.test(stored) ? stored : quiet)}
          onChange={(event) => setPicked(event.currentTarget.value)}
          onBlur={() => picked !== null && void save(picked)}
        />
      )}
    </fieldset>
  );
}

import { backgroundIn } from '@cartulary/cartocss/editor';
import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { clientOf } from '../../client.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import type { Workspace } from '../useWorkspace.js';
import { type GroundKind, groundOf, groundsFor, quietColor, withGround } from './baseMap.js';
import classes from './inspector.module.css';

interface MapGroundProps {
  workspace: Workspace;
  /** The version of the map that is changed. */
  etag: string;
  changes: Changes;
}

/** What lies below the layers: the base map of the pages, the base layer of the map, or one colour. */
export function MapGround({ workspace, etag, changes }: MapGroundProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { project, map, items } = workspace;
  const stored = groundOf(map);
  const color = backgroundIn(map.css_style) ?? quietColor;
  const [picked, setPicked] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (kind: GroundKind, next = color): Promise<void> => {
    if (kind === stored && next === color) return;
    setBusy(true);
    try {
      await clientOf(project).patch('/api/2.8/{project}/{map}/', {
        params: { path: { map: map.code }, header: { 'if-match': etag } },
        body: withGround(map, kind, next),
      });
      changes.tell(texts.saved(map.name || map.code));
    } catch (error) {
      changes.tellProblem(error);
    }
    await workspace.reload();
    setPicked(null);
    setBusy(false);
  };
  const baseLayer = items.find(({ id }) => id === map.json?.base_layer);
  const labels: Readonly<Record<GroundKind, string>> = {
    base: texts.baseMap,
    layer: texts.baseLayer(baseLayer ? baseLayer.name || baseLayer.code : ''),
    color: texts.oneColor,
    nothing: texts.noGround,
  };
  return (
    <fieldset className={classes.choice} disabled={isBusy}>
      <legend>{texts.belowLayers}</legend>
      {groundsFor(map).map((kind) => (
        <label key={kind} className={fields.check}>
          <input type="radio" name="ground" checked={stored === kind} onChange={() => void save(kind)} />
          <span>{labels[kind]}</span>
        </label>
      ))}
      {stored === 'color' && (
        <input
          type="color"
          className={classes.ground}
          aria-label={texts.groundColor}
          value={picked ?? (/^#[0-9a-f]{6}$/i.test(color) ? color : quietColor)}
          onChange={(event) => setPicked(event.currentTarget.value)}
          onBlur={() => picked !== null && void save('color', picked)}
        />
      )}
    </fieldset>
  );
}

import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import classes from './dialogs.module.css';

export type GeometryKind = 'point' | 'line' | 'area' | 'any';

const kinds: readonly GeometryKind[] = ['any', 'point', 'line', 'area'];

/** The style that an empty layer begins with. A layer of anything begins with the service's own. */
export const styleFor = (kind: GeometryKind) => (kind === 'any' ? {} : { simpleStyle: styles[kind] });

const styles = {
  point: { marker: { shape: 'circle', size: 11, color: '#d9480f', stroke: '#ffffff', strokeWidth: 1.5 } },
  line: { stroke: '#1864ab', strokeWidth: 2.5 },
  area: { fill: '#8ccf7e', fillOpacity: 0.6, stroke: '#2b8a3e', strokeWidth: 1.2 },
} as const;

interface GeometryChoiceProps {
  value: GeometryKind;
  onChange: (kind: GeometryKind) => void;
}

/** What kind of geometry a new layer will hold: it decides how the layer is drawn at first. */
export function GeometryChoice({ value, onChange }: GeometryChoiceProps): ReactNode {
  const texts = useWorkspaceTexts();
  return (
    <fieldset className={classes.choice}>
      <legend>{texts.geometry}</legend>
      {kinds.map((kind) => (
        <label key={kind} className={fields.check}>
          <input type="radio" name="geometry" checked={value === kind} onChange={() => onChange(kind)} />
          <span>{texts.geometryKinds[kind]}</span>
        </label>
      ))}
    </fieldset>
  );
}

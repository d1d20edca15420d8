import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { rights, type Workspace } from '../useWorkspace.js';
import classes from './import.module.css';
import type { Target } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

interface TargetChoiceProps {
  workspace: Workspace;
  target: Target;
  /** The new layer that the file suggests. */
  suggested: Extract<Target, { kind: 'new' }>;
  onChange: (target: Target) => void;
}

/** Where the objects of a file go. */
export function TargetChoice({ workspace, target, suggested, onChange }: TargetChoiceProps): ReactNode {
  const texts = useImportTexts();
  const layers = workspace.items.filter(({ type, access }) => type === 'layer' && access >= rights.edit);
  const [first] = layers;
  const labels = { new: texts.newLayer, append: texts.append, replace: texts.replace };
  const choose = (kind: Target['kind']): void => {
    if (kind === 'new') onChange(suggested);
    else onChange({ kind, layer: target.kind === 'new' ? first!.code : target.layer });
  };
  return (
    <fieldset className={classes.target}>
      <legend>{texts.target}</legend>
      {(['new', 'append', 'replace'] as const).map((kind) => (
        <label key={kind} className={fields.check}>
          <input
            type="radio"
            name="target"
            checked={target.kind === kind}
            disabled={kind !== 'new' && !first}
            onChange={() => choose(kind)}
          />
          <span>{labels[kind]}</span>
        </label>
      ))}
      {target.kind === 'new' ? (
        <label className={fields.field}>
          <span>{texts.layerTitle}</span>
          <input
            value={target.name}
            maxLength={1000}
            onChange={(event) => onChange({ ...target, name: event.currentTarget.value })}
          />
        </label>
      ) : (
        <label className={fields.field}>
          <span>{texts.layer}</span>
          <select
            value={target.layer}
            onChange={(event) => onChange({ ...target, layer: event.currentTarget.value })}
          >
            {layers.map(({ id, code, name }) => (
              <option key={id} value={code}>
                {name || code}
              </option>
            ))}
          </select>
        </label>
      )}
      {target.kind === 'replace' && <p className={fields.hint}>{texts.replaceHint}</p>}
    </fieldset>
  );
}

import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { rights, type Workspace } from '../useWorkspace.js';
import classes from './import.module.css';
import type { ImportReport, Target } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

interface TargetChoiceProps {
  workspace: Workspace;
  target: Target;
  /** The new layer that the file suggests. */
  suggested: Extract<Target, { kind: 'new' }>;
  plan: ImportReport;
  onChange: (target: Target) => void;
}

/** Where the objects of a file go. */
export function TargetChoice({ workspace, target, suggested, plan, onChange }: TargetChoiceProps): ReactNode {
  const texts = useImportTexts();
  const layers = workspace.items.filter(({ type, access }) => type === 'layer' && access >= rights.edit);
  const [first] = layers;
  const labels = { new: texts.newLayer, append: texts.append, merge: texts.merge, replace: texts.replace };
  const choose = (kind: Target['kind']): void => {
    if (kind === 'new') onChange(suggested);
    else onChange(ofLayer(kind, target.kind === 'new' ? first!.code : target.layer));
  };
  return (
    <fieldset className={classes.target}>
      <legend>{texts.target}</legend>
      {(['new', 'append', 'merge', 'replace'] as const).map((kind) => (
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
            onChange={(event) => onChange(ofLayer(target.kind, event.currentTarget.value))}
          >
            {layers.map(({ id, code, name }) => (
              <option key={id} value={code}>
                {name || code}
              </option>
            ))}
          </select>
        </label>
      )}
      {target.kind === 'merge' && (
        <KeyChoice plan={plan} value={target.key} onChange={(key) => onChange({ ...target, key })} />
      )}
      {target.kind === 'replace' && <p className={fields.hint}>{texts.replaceHint}</p>}
    </fieldset>
  );
}

const ofLayer = (kind: Exclude<Target['kind'], 'new'>, layer: string): Target =>
  kind === 'merge' ? { kind, layer, key: '' } : { kind, layer };

interface KeyChoiceProps {
  plan: ImportReport;
  value: string;
  onChange: (key: string) => void;
}

/** The column by which a feature of the file finds the object that it changes: one that file and layer have. */
function KeyChoice({ plan, value, onChange }: KeyChoiceProps): ReactNode {
  const texts = useImportTexts();
  const shared = (plan.columns ?? []).filter(
    (column) => !column.new && ['number', 'string', 'text', 'datetime'].includes(column.type),
  );
  return (
    <>
      <label className={fields.field}>
        <span>{texts.key}</span>
        <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{shared.length ? texts.chooseKey : texts.noKey}</option>
          {shared.map(({ code, name }) => (
            <option key={code} value={code}>
              {name || code}
            </option>
          ))}
        </select>
      </label>
      <p className={fields.hint}>{texts.mergeHint}</p>
    </>
  );
}

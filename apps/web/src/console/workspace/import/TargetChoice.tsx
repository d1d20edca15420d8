import type { ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import { isScalar } from '../columns/columns.js';
import { rights, type Workspace } from '../useWorkspace.js';
import classes from './import.module.css';
import { type ImportReport, isNewTarget, type NewTarget, type Target } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

interface TargetChoiceProps {
  workspace: Workspace;
  target: Target;
  /** The new layer that the file suggests. */
  suggested: NewTarget;
  plan: ImportReport;
  onChange: (target: Target) => void;
}

/** Where the objects of a file go. */
export function TargetChoice({ workspace, target, suggested, plan, onChange }: TargetChoiceProps): ReactNode {
  const texts = useImportTexts();
  const hasImage = suggested.kind === 'image';
  const layers = workspace.items.filter(
    ({ type, access }) => type === (hasImage ? 'raster' : 'layer') && access >= rights.edit,
  );
  const [first] = layers;
  const choose = (kind: Target['kind']): void => {
    if (kind === 'new' || kind === 'image') onChange(suggested);
    else onChange(ofLayer(kind, isNewTarget(target) ? first!.code : target.layer));
  };
  return (
    <fieldset className={classes.target}>
      <legend>{texts.target}</legend>
      {(hasImage ? imageKinds : objectKinds).map((kind) => (
        <label key={kind} className={fields.check}>
          <input
            type="radio"
            name="target"
            checked={target.kind === kind}
            disabled={kind !== suggested.kind && !first}
            onChange={() => choose(kind)}
          />
          <span>{texts.targets[kind]}</span>
        </label>
      ))}
      {isNewTarget(target) ? (
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

const objectKinds = ['new', 'append', 'merge', 'replace'] as const;
const imageKinds = ['image', 'other image'] as const;

const ofLayer = (kind: Exclude<Target['kind'], NewTarget['kind']>, layer: string): Target =>
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
    (column) => !column.new && isScalar(column) && column.type !== 'bool',
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

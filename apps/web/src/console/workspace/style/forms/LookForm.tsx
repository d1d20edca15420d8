import { type ReactNode, useId } from 'react';
import fieldClasses from '../../../../common/fields.module.css';
import type { Workspace, WorkspaceItem } from '../../useWorkspace.js';
import type { StyleSubject } from '../editor/subject.js';
import type { Look, LookSettings } from '../look.js';
import type { StyleEditing } from '../useStyle.js';
import { ClassList } from './ClassList.js';
import { type FormKind, forms } from './fields.js';
import classes from './forms.module.css';
import { Histogram } from './Histogram.js';
import { fromForm, isPossible, kindOf, type LookKind, lookFor, lookKinds, toForm } from './kinds.js';
import { LimitsField } from './LimitsField.js';
import { SettingsForm } from './SettingsForm.js';
import { useFormTexts } from './useFormTexts.js';
import { useLegend } from './useLegend.js';

interface KindChoiceProps {
  style: StyleEditing;
  subject: StyleSubject;
  canEdit: boolean;
  /** Whether the layer has pictures in place of objects, which have no visualization. */
  isPicture: boolean;
}

/** Chooses how the layer is drawn. */
export function KindChoice({ style, subject, canEdit, isPicture }: KindChoiceProps): ReactNode {
  const texts = useFormTexts();
  const id = useId();
  const kind = kindOf(style.look);
  const offered = isPicture ? (['css'] as const) : lookKinds;
  return (
    <div className={fieldClasses.field}>
      <label htmlFor={id}>{texts.drawnAs}</label>
      <select
        id={id}
        value={kind}
        disabled={!canEdit}
        onChange={({ currentTarget: { value } }) =>
          style.change(lookFor(value as LookKind, style.look, subject.columns))
        }
      >
        {offered.map((one) => {
          const isOff = one !== kind && !isPossible(one, subject.columns);
          return (
            <option key={one} value={one} disabled={isOff}>
              {texts.kinds[one] + (isOff ? ` (${texts.needsColumn})` : '')}
            </option>
          );
        })}
      </select>
    </div>
  );
}

interface LookFormProps {
  workspace: Workspace;
  item: WorkspaceItem;
  style: StyleEditing;
  look: Exclude<Look, { kind: 'css' }>;
  subject: StyleSubject;
  canEdit: boolean;
  /** The class that drew what the user has pointed at, from 1; 0: none of them; null: not pointed at. */
  current: number | null;
}

/** The form of a simple style or visualization, with histogram and legend. */
export function LookForm(props: LookFormProps): ReactNode {
  const { style, look, subject, canEdit } = props;
  const kind = kindOf(look) as FormKind;
  const form = toForm(kind, look.settings, subject.columns);
  const change = (next: LookSettings): void =>
    style.change({ ...look, settings: fromForm(kind, next, subject.columns) });
  const texts = useFormTexts();
  const isSimple = kind === 'simple';
  const shared = {
    settings: form,
    subject,
    canEdit,
    onChange: (next: LookSettings) => change(columnChanged(form, next)),
  };
  return (
    <div className={classes.form}>
      {isSimple && style.saved.kind === 'css' && <p className={fieldClasses.hint}>{texts.replacesCss}</p>}
      <SettingsForm key={kind} groups={isSimple ? forms[kind] : forms[kind].slice(0, 1)} {...shared} />
      {!isSimple && (
        <>
          <Classes {...props} />
          <SettingsForm key={kind} groups={forms[kind].slice(1)} {...shared} />
        </>
      )}
    </div>
  );
}

/** Another column has other classes and limits, so those of the former one are forgotten; another number is made anew. */
function columnChanged(before: LookSettings, next: LookSettings): LookSettings {
  const isSame = before.columnCode === next.columnCode && before.classesCount === next.classesCount;
  if (isSame) return next;
  const { classes: _, limits: __, ...rest } = (next.classesSettings ?? {}) as Record<string, unknown>;
  return { ...next, column: undefined, classesSettings: rest };
}

/** Where the settings of classed visualizations have their limits. */
const limitsPaths: Readonly<Partial<Record<LookKind, string>>> = {
  thematic: 'classesSettings.limits',
  hexagons: 'settings.limits',
};

function Classes({ workspace, item, style, look, subject, canEdit, current }: LookFormProps): ReactNode {
  const read = useLegend(workspace, item.code, style.version);
  if (!read) return null;
  const { legend, version } = read;
  const column = subject.columns.find(({ code }) => code === look.settings.columnCode);
  const isCategories = look.settings.type === 2;
  const parts = ['api', '2.8', workspace.project, workspace.map.code, 'layers', item.code, 'legend'];
  const onChange = (settings: LookSettings): void => style.change({ ...look, settings });
  const limitsPath = limitsPaths[kindOf(look)];
  return (
    <>
      {column?.type === 'number' && !isCategories && (
        <Histogram workspace={workspace} layer={item.code} column={column} entries={legend.classificators} />
      )}
      {limitsPath && (
        <LimitsField
          legend={legend}
          path={limitsPath}
          settings={look.settings}
          canEdit={canEdit}
          onChange={onChange}
        />
      )}
      <ClassList
        legend={legend}
        version={version}
        parts={parts}
        current={current}
        editing={
          isCategories && canEdit ? { settings: look.settings, icons: subject.icons ?? [], onChange } : null
        }
      />
    </>
  );
}

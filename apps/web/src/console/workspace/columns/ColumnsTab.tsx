import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { IconPlus } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { DeleteDialog } from '../../deletion/DeleteDialog.js';
import { useDraft, useKept } from '../../drafts.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import type { Loaded } from '../../useLoaded.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { ColumnDialog } from './ColumnDialog.js';
import { ColumnList } from './ColumnList.js';
import {
  isQuery,
  isSystem,
  type KeptColumn,
  type KeptColumns,
  nameOf,
  type StoredColumn,
} from './columns.js';
import classes from './columns.module.css';
import { describeRule } from './rules/describe.js';
import { RulesDialog } from './rules/RulesDialog.js';
import type { Rules } from './rules/rules.js';
import { useRules } from './rules/useRules.js';
import { type Columns, useColumnList } from './useColumnList.js';
import { useColumnTexts } from './useColumnTexts.js';

interface ColumnsTabProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
}

/** The dialog that is open. */
type OpenDialog = { kind: 'add' } | { kind: 'change' | 'rules' | 'remove'; column: StoredColumn };

/** The columns of a layer. */
export function ColumnsTab({ workspace, item, changes }: ColumnsTabProps): ReactNode {
  const texts = useColumnTexts();
  const consoleTexts = useConsoleTexts();
  const { texts: common } = useLanguage();
  const { columns, error } = useColumnList(workspace, item, changes);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const rules = useRules(workspace, item);
  const kept = useKeptColumns(workspace, item);
  const marksOf = useMarks(rules.value, kept.all);
  const canEdit = item.access >= rights.edit;
  if (!columns)
    return (
      <p role={error ? 'alert' : 'status'}>{error ? explain(error, consoleTexts, common) : common.loading}</p>
    );
  const isOwn = !isQuery(item);
  return (
    <div className={fields.form}>
      {!isOwn && <p className={classes.note}>{texts.ofQuery}</p>}
      {isOwn && columns.list.every(isSystem) && (
        <p className={classes.note}>
          <strong>{texts.none}</strong> {texts.noneHint}
        </p>
      )}
      <ColumnList
        columns={columns}
        canEdit={canEdit}
        isOwn={isOwn}
        marksOf={marksOf}
        onRules={(column) => setDialog({ kind: 'rules', column })}
        onChange={(column) => setDialog({ kind: 'change', column })}
        onRemove={(column) => setDialog({ kind: 'remove', column })}
      />
      {canEdit && isOwn && (
        <Button
          variant="light"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setDialog({ kind: 'add' })}
        >
          {texts.add}
          {kept.all.new && ` (${texts.notSaved})`}
        </Button>
      )}
      {canEdit && <p className={classes.keys}>{texts.help}</p>}
      {dialog && (
        <OpenedDialog
          {...{ workspace, item, changes, columns, dialog, rules, kept }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

/** What is entered of the columns of a layer and not saved. */
function useKeptColumns({ project, map }: Workspace, { code }: WorkspaceItem) {
  const [kept, set] = useKept(useDraft<KeptColumns>('columns', project, map.code, code));
  const all = kept ?? {};
  const keep = (column: string, value: KeptColumn | null): void => {
    const { [column]: _, ...others } = all;
    const next = value ? { ...others, [column]: value } : others;
    set(Object.keys(next).length ? next : null);
  };
  return { all, keep };
}

/** The marks of a column: its rules, and whether it has changes that are not saved. */
function useMarks(rules: Rules | undefined, kept: KeptColumns): (column: StoredColumn) => readonly string[] {
  const texts = useColumnTexts();
  const { ui } = useLanguage();
  return ({ id, code }) => [
    ...(rules?.list ?? [])
      .filter(({ columns }) => columns.includes(code))
      .map((rule) => describeRule(rule, texts, ui).toLocaleLowerCase(ui)),
    ...(kept[id] ? [texts.notSaved] : []),
  ];
}

interface OpenedDialogProps extends ColumnsTabProps {
  columns: Columns;
  rules: Loaded<Rules>;
  kept: ReturnType<typeof useKeptColumns>;
  dialog: OpenDialog;
  onClose: () => void;
}

function OpenedDialog(props: OpenedDialogProps): ReactNode {
  const { workspace, item, changes, columns, dialog, rules, kept, onClose } = props;
  const texts = useColumnTexts();
  const done = async (text: string): Promise<void> => {
    onClose();
    await columns.reload();
    changes.tell(text);
  };
  if (dialog.kind === 'rules') {
    const { list } = columns;
    return (
      rules.value && (
        <RulesDialog
          {...{ workspace, item, onClose }}
          columns={list}
          column={dialog.column}
          rules={rules.value}
          onChanged={rules.reload}
        />
      )
    );
  }
  if (dialog.kind !== 'remove') {
    const key = dialog.kind === 'change' ? String(dialog.column.id) : 'new';
    return (
      <ColumnDialog
        workspace={workspace}
        item={item}
        columns={columns}
        column={dialog.kind === 'change' ? dialog.column : null}
        kept={kept.all[key] ?? null}
        onKeep={(value) => kept.keep(key, value)}
        onClose={onClose}
        onDone={(name) => void done(dialog.kind === 'add' ? texts.added(name) : texts.saved(name))}
      />
    );
  }
  const name = nameOf(dialog.column);
  const { project, map } = workspace;
  const path = { map: map.code, layer: item.code, field: String(dialog.column.id) };
  return (
    <DeleteDialog
      project={project}
      doomed={{ map: map.code, layer: item.code, column: dialog.column.code }}
      title={texts.deleteTitle}
      name={name}
      remove={() =>
        clientOf(project).delete('/api/2.8/{project}/{map}/layers/{layer}/structure/{field}/', {
          params: { path, header: { 'if-match': columns.etag } },
        })
      }
      onClose={onClose}
      onDone={() => void done(texts.deleted(name))}
    />
  );
}

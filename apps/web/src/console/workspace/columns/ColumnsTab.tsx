import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { IconPlus } from '../../../common/icons.js';
import { useTexts } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { DeleteDialog } from '../../deletion/DeleteDialog.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { ColumnDialog } from './ColumnDialog.js';
import { ColumnList } from './ColumnList.js';
import { isQuery, isSystem, nameOf, type StoredColumn } from './columns.js';
import classes from './columns.module.css';
import { type Columns, useColumnList } from './useColumnList.js';
import { useColumnTexts } from './useColumnTexts.js';

interface ColumnsTabProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
}

/** The dialog that is open. */
type OpenDialog = { kind: 'add' } | { kind: 'change' | 'remove'; column: StoredColumn };

/** The columns of a layer. */
export function ColumnsTab({ workspace, item, changes }: ColumnsTabProps): ReactNode {
  const texts = useColumnTexts();
  const consoleTexts = useConsoleTexts();
  const common = useTexts();
  const { columns, error } = useColumnList(workspace, item, changes);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
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
        </Button>
      )}
      {canEdit && <p className={classes.keys}>{texts.help}</p>}
      {dialog && (
        <OpenedDialog {...{ workspace, item, changes, columns, dialog }} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

interface OpenedDialogProps extends ColumnsTabProps {
  columns: Columns;
  dialog: OpenDialog;
  onClose: () => void;
}

function OpenedDialog(props: OpenedDialogProps): ReactNode {
  const { workspace, item, changes, columns, dialog, onClose } = props;
  const texts = useColumnTexts();
  const done = async (text: string): Promise<void> => {
    onClose();
    await columns.reload();
    changes.tell(text);
  };
  if (dialog.kind !== 'remove') {
    return (
      <ColumnDialog
        workspace={workspace}
        item={item}
        columns={columns}
        column={dialog.kind === 'change' ? dialog.column : null}
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

import type { LayerDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import fields from '../../../common/fields.module.css';
import { IconRefresh } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { lazyEditor } from '../../lazyPart.js';
import { Conflict } from '../inspector/Conflict.js';
import { type StoredRecord, useRecord } from '../inspector/useRecord.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { FirstRows, ResultRows } from './FirstRows.js';
import classes from './queries.module.css';
import { RunState } from './RunState.js';
import { useSchema } from './schema.js';
import { usePreview } from './usePreview.js';
import { type QueryEditing, queryOf, useQueryText } from './useQueryText.js';
import { useQueryTexts } from './useQueryTexts.js';
import { type Run, useRun } from './useRun.js';

const SqlEditor = lazyEditor(() => import('./SqlEditor.js'));

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';

interface QueryTabProps {
  workspace: Workspace;
  item: WorkspaceItem;
  changes: Changes;
}

/** The SQL of a query layer, its first rows, and when they were made. */
export function QueryTab({ workspace, item, changes }: QueryTabProps): ReactNode {
  const texts = useQueryTexts();
  const { ui, texts: common } = useLanguage();
  const { project, map, version } = workspace;
  const path = { map: map.code, layer: item.code };
  const { record, set } = useRecord<LayerDetails>(`${item.id} ${version} ${ui}`, (options) =>
    clientOf(project).get(layerPath, { params: { path, query: { lng: ui } }, ...options }),
  );
  const run = useRun();
  const editing = useQueryText({ workspace, item, record }, run);
  const type = item.type as 'virtual' | 'material';
  const { preview, look } = usePreview(workspace, { text: editing.text, run, type, layer: item.code });
  const name = item.name || item.code;
  const done = async (text: string): Promise<void> => {
    await workspace.reload();
    changes.tell(text);
  };
  if (!record) return <p role="status">{common.loading}</p>;
  const refresh = async (): Promise<void> => {
    const answer = await run.start((signal) =>
      clientOf(project).post(`${layerPath}refresh/`, { params: { path }, signal }),
    );
    if (answer) await done(texts.renewed(name));
  };
  const save = async (over?: StoredRecord<LayerDetails>): Promise<void> => {
    if (await editing.save(over)) await done(texts.saved(name));
  };
  return (
    <div className={fields.form}>
      {item.access >= rights.edit && (
        <QueryForm
          workspace={workspace}
          run={run}
          editing={editing}
          onLook={() => void look()}
          onSave={() => void save()}
        />
      )}
      {item.type === 'material' && (
        <Refreshed layer={record.value} run={run} onRefresh={() => void refresh()} />
      )}
      <RunState run={run} />
      {preview ? (
        <ResultRows title={texts.previewRows} {...preview} />
      ) : (
        <FirstRows workspace={workspace} item={item} />
      )}
      <QueryConflict editing={editing} onTheirs={set} onSave={(over) => void save(over)} />
    </div>
  );
}

interface QueryConflictProps {
  editing: QueryEditing;
  /** Takes the version of the other. */
  onTheirs: (theirs: StoredRecord<LayerDetails>) => void;
  onSave: (over: StoredRecord<LayerDetails>) => void;
}

/** Both versions, where somebody else has saved another query meanwhile. */
function QueryConflict({ editing, onTheirs, onSave }: QueryConflictProps): ReactNode {
  const { sql } = useQueryTexts();
  const { theirs, text } = editing;
  if (!theirs) return null;
  return (
    <Conflict
      fields={[{ key: 'sql', label: sql, mine: text, theirs: queryOf(theirs.value) }]}
      onChoose={(mine) => {
        onTheirs(theirs);
        if (mine?.has('sql')) onSave(theirs);
        else editing.drop();
      }}
      onLater={editing.settleLater}
    />
  );
}

interface QueryFormProps {
  workspace: Workspace;
  run: Run;
  editing: QueryEditing;
  onLook: () => void;
  onSave: () => void;
}

function QueryForm({ workspace, run, editing, onLook, onSave }: QueryFormProps): ReactNode {
  const texts = useQueryTexts();
  const { texts: common } = useLanguage();
  const schema = useSchema(workspace, editing.text);
  return (
    <>
      <Suspense fallback={<p role="status">{common.loading}</p>}>
        <SqlEditor
          text={editing.text}
          canEdit
          schema={schema}
          problem={run.problem}
          onChange={editing.change}
        />
      </Suspense>
      {editing.isChanged && (
        <div className={fields.buttons}>
          <Button variant="default" onClick={editing.drop}>
            {texts.cancel}
          </Button>
          <Button variant="light" disabled={run.isBusy} onClick={onLook}>
            {texts.preview}
          </Button>
          <Button loading={run.isBusy} onClick={onSave}>
            {texts.save}
          </Button>
        </div>
      )}
    </>
  );
}

interface RefreshedProps {
  layer: LayerDetails;
  run: Run;
  onRefresh: () => void;
}

/** When the result of a stored query was made, and the button that makes it anew. */
function Refreshed({ layer, run, onRefresh }: RefreshedProps): ReactNode {
  const texts = useQueryTexts();
  const { at, rows } = (layer.json.refreshed ?? {}) as { at?: string; rows?: number };
  return (
    <div className={classes.state}>
      <Button
        variant="light"
        leftSection={<IconRefresh size={18} aria-hidden />}
        disabled={run.isBusy}
        onClick={onRefresh}
      >
        {texts.refresh}
      </Button>
      {at && <span>{texts.refreshed(at, rows ?? 0)}</span>}
    </div>
  );
}

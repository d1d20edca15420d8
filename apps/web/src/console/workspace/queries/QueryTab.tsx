import { ClientError, type LayerDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { IconRefresh } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { Conflict } from '../inspector/Conflict.js';
import { type StoredRecord, useRecord } from '../inspector/useRecord.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { FirstRows } from './FirstRows.js';
import classes from './queries.module.css';
import { RunState } from './RunState.js';
import { useSchema } from './schema.js';
import { useQueryTexts } from './useQueryTexts.js';
import { type Run, useRun } from './useRun.js';

const SqlEditor = lazy(() => import('./SqlEditor.js'));

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
  const name = item.name || item.code;
  const done = async (text: string): Promise<void> => {
    await workspace.reload();
    changes.tell(text);
  };
  if (!record) return <p role="status">{common.loading}</p>;
  const refresh = async (): Promise<void> => {
    const answer = await run.start(() =>
      clientOf(project).post(`${layerPath}refresh/`, { params: { path } }),
    );
    if (answer) await done(texts.renewed(name));
  };
  const save = async (etag?: string): Promise<void> => {
    if (await editing.save(etag)) await done(texts.saved(name));
  };
  return (
    <div className={fields.form}>
      {item.access >= rights.edit && (
        <QueryForm workspace={workspace} run={run} editing={editing} onSave={() => void save()} />
      )}
      {item.type === 'material' && (
        <Refreshed layer={record.value} run={run} onRefresh={() => void refresh()} />
      )}
      <RunState run={run} />
      <FirstRows workspace={workspace} item={item} />
      {editing.theirs && (
        <Conflict
          fields={[
            { key: 'sql', label: texts.sql, mine: editing.text, theirs: queryOf(editing.theirs.value) },
          ]}
          onChoose={(mine) => {
            const theirs = editing.theirs!;
            set(theirs);
            if (mine?.has('sql')) void save(theirs.etag);
            else editing.drop();
          }}
        />
      )}
    </div>
  );
}

const queryOf = ({ json }: Pick<LayerDetails, 'json'>): string => String(json.query ?? '');

interface QueryFormProps {
  workspace: Workspace;
  run: Run;
  editing: QueryEditing;
  onSave: () => void;
}

function QueryForm({ workspace, run, editing, onSave }: QueryFormProps): ReactNode {
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

interface QueryEditing {
  text: string;
  isChanged: boolean;
  /** The layer as somebody else has saved it meanwhile. */
  theirs: StoredRecord<LayerDetails> | null;
  change: (text: string) => void;
  /** Gives the own changes up. */
  drop: () => void;
  /** Saves the query over a version; the one that was read when absent. Returns whether it is saved. */
  save: (etag?: string) => Promise<boolean>;
}

/** The text of a query that is edited. */
function useQueryText(
  {
    workspace,
    item,
    record,
  }: { workspace: Workspace; item: WorkspaceItem; record: StoredRecord<LayerDetails> | null },
  run: Run,
): QueryEditing {
  const [draft, setDraft] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<StoredRecord<LayerDetails> | null>(null);
  const stored = record ? queryOf(record.value) : '';
  const text = draft ?? stored;
  const drop = (): void => {
    setDraft(null);
    setTheirs(null);
  };
  const save = async (etag = record?.etag ?? ''): Promise<boolean> => {
    setTheirs(null);
    const path = { map: workspace.map.code, layer: item.code };
    const { refreshed: _, ...json } = record!.value.json;
    const saved = await run.start(() =>
      clientOf(workspace.project)
        .patch(layerPath, {
          params: { path, header: { 'if-match': etag } },
          body: { json: { ...json, query: text } },
        })
        .catch((error: unknown) => {
          if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') throw error;
          const { present, etag: now } = error.data as { present: LayerDetails; etag: string };
          setTheirs({ value: present, etag: now });
          return null;
        }),
    );
    if (saved) drop();
    return Boolean(saved);
  };
  return { text, isChanged: draft !== null && draft !== stored, theirs, change: setDraft, drop, save };
}

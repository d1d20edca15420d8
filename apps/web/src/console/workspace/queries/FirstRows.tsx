import type { ReactNode } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { RowTable } from '../../RowTable.js';
import { useLoaded } from '../../useLoaded.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import classes from './queries.module.css';
import { useQueryTexts } from './useQueryTexts.js';

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';

interface Rows {
  columns: readonly { code: string; name?: string }[];
  rows: readonly { id: number | string | null; fields: Readonly<Record<string, unknown>> }[];
}

/** The first rows of a query layer; nothing until they are read, and where the query fails. */
export function FirstRows({ workspace, item }: { workspace: Workspace; item: WorkspaceItem }): ReactNode {
  const { ui } = useLanguage();
  const { project, map, version } = workspace;
  const { value, error } = useLoaded(
    `${project} ${map.code} ${item.code} ${ui}`,
    (signal) => readFirst(workspace, item.code, { lng: ui, signal }),
    version,
  );
  const texts = useQueryTexts();
  return value && !error ? <ResultRows title={texts.firstRows} {...value} /> : null;
}

/** Rows of a result, below a heading. */
export function ResultRows({ title, columns, rows }: Rows & { title: string }): ReactNode {
  const texts = useQueryTexts();
  return (
    <>
      <h3 className={classes.heading}>{title}</h3>
      {rows.length === 0 ? (
        <p className={classes.help}>{texts.noRows}</p>
      ) : (
        <RowTable label={title} columns={columns} rows={rows} idTitle="svc_id" />
      )}
    </>
  );
}

async function readFirst(
  { project, map }: Workspace,
  layer: string,
  { lng, signal }: { lng: string; signal: AbortSignal },
): Promise<Rows> {
  const client = clientOf(project);
  const path = { map: map.code, layer };
  const [columns, rows] = await Promise.all([
    client.get(`${layerPath}structure/`, { params: { path, query: { lng } }, signal }),
    client.get(`${layerPath}objects/`, {
      params: { path, query: { fields: '*', limit: 20, lng, f: 'fjson' } },
      signal,
    }),
  ]);
  const shown = columns.filter(({ code, type }) => code !== 'svc_id' && type !== 'geom' && type !== 'title');
  return { columns: shown, rows };
}

import { type ReactNode, useEffect, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import classes from './queries.module.css';
import { useQueryTexts } from './useQueryTexts.js';

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';

interface Rows {
  columns: { code: string; name: string }[];
  rows: { id: number; fields: Record<string, unknown> }[];
}

/** The first rows of a query layer. */
export function FirstRows({ workspace, item }: { workspace: Workspace; item: WorkspaceItem }): ReactNode {
  const texts = useQueryTexts();
  const result = useRows(workspace, item);
  if (!result) return null;
  const { columns, rows } = result;
  return (
    <>
      <h3 className={classes.heading}>{texts.firstRows}</h3>
      {rows.length === 0 && <p className={classes.help}>{texts.noRows}</p>}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what is wider than the panel
        <section className={classes.scroll} tabIndex={0} aria-label={texts.firstRows}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">svc_id</th>
                {columns.map(({ code, name }) => (
                  <th key={code} scope="col">
                    {name || code}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, fields }) => (
                <tr key={id}>
                  <td>{id}</td>
                  {columns.map(({ code }) => (
                    <td key={code}>{shown(fields[code])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Reads the first rows when the layer has changed. Null until they are read, and where the query fails. */
function useRows({ project, map, version }: Workspace, { code }: WorkspaceItem): Rows | null {
  const { ui } = useLanguage();
  const [rows, setRows] = useState<Rows | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other rows
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const client = clientOf(project);
    const path = { map: map.code, layer: code };
    Promise.all([
      client.get(`${layerPath}structure/`, { params: { path, query: { lng: ui } }, signal }),
      client.get(`${layerPath}objects/`, {
        params: { path, query: { fields: '*', limit: 20, lng: ui, f: 'fjson' } },
        signal,
      }),
    ]).then(
      ([columns, objects]) =>
        setRows({
          columns: columns.filter(
            ({ code: one, type }) => one !== 'svc_id' && type !== 'geom' && type !== 'title',
          ),
          rows: objects,
        }),
      () => !signal.aborted && setRows(null),
    );
    return () => controller.abort();
  }, [project, map.code, code, version, ui]);
  return rows;
}

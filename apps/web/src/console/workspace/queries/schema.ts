import { useEffect, useState } from 'react';
import { clientOf } from '../../client.js';
import type { Workspace } from '../useWorkspace.js';

/** The columns of the layers of maps: `{ atlas: { towns: ['svc_id', 'name'] } }`. */
export type QuerySchema = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The types of layers that a query can read. */
const readable: ReadonlySet<string> = new Set(['layer', 'virtual', 'material']);

/** The layers of the map that a text names. */
export const namedLayers = (text: string, { map, items }: Pick<Workspace, 'map' | 'items'>): string[] =>
  items
    .filter(({ type, code }) => readable.has(type) && text.includes(`${map.code}.${code}`))
    .map(({ code }) => code);

/** The layers of the map, and the columns of those that the query names. */
export function useSchema(workspace: Workspace, text: string): QuerySchema {
  const { project, map, items } = workspace;
  const [columns, setColumns] = useState<Readonly<Record<string, readonly string[]>>>({});
  const named = namedLayers(text, workspace).join(' ');
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const layer of named.split(' ').filter(Boolean)) {
      clientOf(project)
        .get('/api/2.8/{project}/{map}/layers/{layer}/structure/', {
          params: { path: { map: map.code, layer } },
          signal,
        })
        .then(
          (read) => {
            const codes = read.filter(({ type }) => type !== 'title').map(({ code }) => code);
            setColumns((before) => ({ ...before, [layer]: codes }));
          },
          () => {}, // without suggestions the query can be written all the same
        );
    }
    return () => controller.abort();
  }, [project, map.code, named]);
  const [schema, setSchema] = useState<QuerySchema>({});
  useEffect(() => {
    const layers = items
      .filter(({ type }) => readable.has(type))
      .map(({ code }) => [code, columns[code] ?? []]);
    setSchema({ [map.code]: Object.fromEntries(layers) });
  }, [map.code, items, columns]);
  return schema;
}

import type { ColumnKind } from '@cartulary/cartocss/editor';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import type { ColumnValues, StyleColumn, StyleSubject } from './editor/subject.js';

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';

/** Reads the columns of a layer and the icons of its project. Null until they are read. */
export function useSubject(
  { project, map, version }: Workspace,
  { code, access }: WorkspaceItem,
): StyleSubject | null {
  const { ui } = useLanguage();
  const [subject, setSubject] = useState<StyleSubject | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other columns
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const client = clientOf(project);
    const params = { path: { map: map.code, layer: code }, query: { lng: ui } };
    const canEdit = access >= rights.edit;
    const known = new Map<string, Promise<ColumnValues>>();
    const readValues = async (column: string): Promise<ColumnValues> => {
      const { min, max, frequent } = await client.post(`${layerPath}statistics/`, {
        params,
        body: { column, percentiles: [], frequent: 20 },
      });
      return { min, max, frequent: frequent.map(({ value }) => value) };
    };
    const valuesOf = (column: string): Promise<ColumnValues> => {
      const reading = known.get(column) ?? readValues(column).catch(() => noValues);
      known.set(column, reading);
      return reading;
    };
    Promise.all([
      client.get(`${layerPath}structure/`, { params, signal }).catch(() => []),
      canEdit ? client.get('/api/2.8/{project}/icons/', { signal }).catch(() => null) : null,
    ]).then(([columns, icons]) => {
      if (signal.aborted) return;
      const own = columns.filter(({ type }) => type !== 'geom' && type !== 'title');
      setSubject({
        layer: styleLayer(code, own),
        columns: own,
        icons: icons?.map(({ name }) => name) ?? null,
        valuesOf,
      });
    });
    return () => controller.abort();
  }, [project, map.code, code, access, version, ui]);
  return subject;
}

const noValues: ColumnValues = { min: null, max: null, frequent: [] };

/** The layer as the compiler sees it. Without columns of its own it takes any, as data will bring them. */
function styleLayer(code: string, columns: readonly StyleColumn[]): StyleSubject['layer'] {
  const kinds = columns.map(({ code: name, type }): [string, ColumnKind] => [
    name,
    type === 'number' ? 'number' : type === 'bool' ? 'boolean' : 'text',
  ]);
  const hasOwn = columns.some(({ code: name }) => name !== 'svc_id');
  return { code, classes: [], columns: hasOwn ? new Map(kinds) : undefined };
}

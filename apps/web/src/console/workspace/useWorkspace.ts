import { type AnswerOf, type CallOptions, ClientError } from '@cartulary/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { buildTree, type TreeItem, type TreeNode } from '../../viewer/tree.js';
import { clientOf } from '../client.js';

/** A folder or layer of the map, with the user's right on it and the extent of a layer. */
export interface WorkspaceItem extends TreeItem {
  access: number;
  bbox?: { sw: number[]; ne: number[] } | null;
}

type MapAnswer = AnswerOf<'/api/2.8/{project}/{map}/', 'get'>;
export type PublishedItem = AnswerOf<'/api/2.8/{project}/{map}/layers/', 'get'>[number];

/** The rights that functions of the interface need. */
export const rights = { view: 1, edit: 2, administer: 3 } as const;

/** Whether a layer has objects that are listed. */
export const hasTable = ({ type }: WorkspaceItem): boolean => ['layer', 'virtual', 'material'].includes(type);

/** What the workspace knows of a map: all of it as the service has stored it. */
export interface WorkspaceData {
  map: MapAnswer;
  access: number;
  items: WorkspaceItem[];
  /** ETag of the trees. */
  etag: string;
  /** The publication tree. */
  published: PublishedItem[];
}

export interface Workspace extends WorkspaceData {
  project: string;
  roots: readonly TreeNode[];
  /** Counts what was read: pictures of older versions are outdated. */
  version: number;
  /** Reads everything anew. */
  reload: () => Promise<void>;
  /** Whether it is being read. */
  isReading: () => boolean;
  /** Takes a tree that a change has answered. */
  setTree: (items: WorkspaceItem[], etag: string) => void;
}

/** How trees are asked for. */
export const treeQuery = (lng: string) =>
  ({ type: 'full', returnAccess: '1', returnBbox: '1', lng }) as const;

async function readWorkspace(
  project: string,
  code: string,
  lng: string,
  options: CallOptions,
): Promise<WorkspaceData> {
  const client = clientOf(project);
  const path = { map: code };
  let etag = '';
  const onResponse = ({ headers }: Response): void => {
    etag = headers.get('etag') ?? '';
  };
  const [map, { right }, published, items] = await Promise.all([
    client.get('/api/2.8/{project}/{map}/', {
      params: { path, query: { lng, returnLanguages: '1', returnJson: '1' } },
      ...options,
    }),
    client.get('/api/2.8/{project}/rights/explain/', { params: { query: { map: code } }, ...options }),
    client.get('/api/2.8/{project}/{map}/layers/', { params: { path, query: { lng } }, ...options }),
    client.get('/api/2.8/{project}/{map}/layers/', {
      params: { path, query: treeQuery(lng) },
      ...options,
      onResponse,
    }),
  ]);
  const access = ['none', 'view', 'edit', 'administer'].indexOf(right);
  return { map, access, published, items: items as WorkspaceItem[], etag };
}

interface State {
  data?: WorkspaceData;
  error?: unknown;
  version: number;
}

/** Reads a map with its tree, and reads it anew after changes. */
export function useWorkspace(
  project: string,
  code: string,
  lng: string,
): { workspace: Workspace | null; error: unknown; reload: () => Promise<void> } {
  const [state, setState] = useState<State>({ version: 0 });
  /** Numbers of the last reading that began, and of the newest one that is shown: an older one may be answered later. */
  const order = useRef({ begun: 0, shown: 0, reading: 0 });
  const load = useCallback(
    async (options: CallOptions = {}): Promise<void> => {
      order.current.begun += 1;
      const own = order.current.begun;
      order.current.reading += 1;
      try {
        const data = await readWorkspace(project, code, lng, options);
        if (own < order.current.shown) return;
        order.current.shown = own;
        setState(({ version }) => ({ data, version: version + 1 }));
      } catch (error) {
        if (options.signal?.aborted) return;
        // A map that has gone takes the place of what is shown; a broken connection does not.
        setState((before) => (before.data && !isGone(error) ? before : { error, version: before.version }));
      } finally {
        order.current.reading -= 1;
      }
    },
    [project, code, lng],
  );
  useEffect(() => {
    const controller = new AbortController();
    void load({ signal: controller.signal });
    return () => controller.abort();
  }, [load]);
  const setTree = useCallback((items: WorkspaceItem[], etag: string): void => {
    order.current.begun += 1;
    order.current.shown = order.current.begun;
    setState(({ data, version }) =>
      data ? { data: { ...data, items, etag }, version: version + 1 } : { version },
    );
  }, []);
  const isReading = useCallback(() => order.current.reading > 0, []);
  const { data, version } = state;
  const roots = useMemo(() => buildTree(data?.items ?? []), [data?.items]);
  const workspace = data ? { ...data, project, roots, version, reload: load, isReading, setTree } : null;
  return { workspace, error: state.error, reload: load };
}

const isGone = (error: unknown): boolean =>
  error instanceof ClientError && [401, 403, 404].includes(error.status);

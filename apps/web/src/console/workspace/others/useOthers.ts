import type { AnswerOf } from '@cartulary/client';
import { useEffect, useRef, useState } from 'react';
import { ownWrites, watchingClientOf } from '../../client.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import { useWhileActive } from './useActive.js';

type Versions = AnswerOf<'/api/2.8/{project}/{map}/versions/', 'get'>;

/** A part of what is open. */
export type Part = 'map' | 'trees' | 'layer' | 'structure' | 'data';

export interface Others {
  /** What others have changed since it was read. */
  parts: readonly Part[];
  /** Version of the objects of the layer; null until it is known. */
  data: number | null;
}

interface Watched {
  /** What the versions are of: the layer, and the reading of the workspace. */
  key: string;
  first: Versions;
  now: Versions;
}

/** What others have changed of the map and the chosen layer since they were read. */
export function useOthers(workspace: Workspace, item: WorkspaceItem | null): Others {
  const { project, map, version, etag, isReading } = workspace;
  const layer = item && item.type !== 'folder' ? item.code : null;
  const key = `${version} ${layer}`;
  const [watched, setWatched] = useState<Watched | null>(null);
  const running = useRef<AbortController | null>(null);
  const look = async (): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { begun } = ownWrites;
    if (begun !== ownWrites.ended || isReading()) return;
    const params = { path: { map: map.code }, query: layer === null ? {} : { layer } };
    const { signal } = controller;
    // A refusal, such as that of a session that has ended, is told when the user does something.
    const now = await watchingClientOf(project)
      .get('/api/2.8/{project}/{map}/versions/', { params, signal })
      .catch(() => null);
    // What the page itself writes is read anew after it.
    if (!now || signal.aborted || ownWrites.begun !== begun || isReading()) return;
    setWatched((before) => ({ key, first: before?.key === key ? before.first : now, now }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is read anew is compared anew
  useEffect(() => {
    void look();
    return () => running.current?.abort();
  }, [key]);
  useWhileActive(() => void look());
  if (watched?.key !== key) return { parts: [], data: null };
  const { first, now } = watched;
  return { parts: differing({ ...first, trees: etag }, now), data: now.layer?.data ?? null };
}

function differing(first: Versions, now: Versions): Part[] {
  const parts: Part[] = (['map', 'trees'] as const).filter((part) => first[part] !== now[part]);
  // A layer that is gone is missing in the tree, which says so.
  if (!first.layer || !now.layer) return parts;
  if (first.layer.etag !== now.layer.etag) parts.push('layer');
  // A change of columns is one of the objects, too.
  if (first.layer.structure !== now.layer.structure) parts.push('structure');
  else if (first.layer.data !== now.layer.data) parts.push('data');
  return parts;
}

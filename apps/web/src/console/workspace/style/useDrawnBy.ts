import { useEffect, useRef, useState } from 'react';
import type { TreeItem } from '../../../viewer/tree.js';
import type { PointedPlace } from '../../../viewer/types.js';
import { clientOf } from '../../client.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';

/** What drew an object at a place of the map. */
export interface DrawnBy {
  /** Code of the layer. */
  layer: string;
  /** The block of its saved style, from 1; null: it is drawn by a visualization. */
  block: { line: number; column: number } | null;
  /** Number of the class of a visualization, from 1; 0: none of them. */
  class: number | null;
}

interface DrawnByContext {
  workspace: Workspace;
  /** Visible layers, topmost first. */
  visible: readonly TreeItem[];
  pointed: PointedPlace | null;
  /** Whether places that are pointed at are looked up. */
  isOn: boolean;
  changes: Changes;
  onFound: (item: WorkspaceItem) => void;
}

/** The layer and rule that drew what the user has last pointed at. */
export function useDrawnBy(context: DrawnByContext): DrawnBy | null {
  const { pointed, isOn } = context;
  const texts = useWorkspaceTexts();
  const [found, setFound] = useState<DrawnBy | null>(null);
  const latest = useRef(context);
  latest.current = context;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place is looked up
  useEffect(() => {
    if (!pointed || !isOn) return;
    const controller = new AbortController();
    const { signal } = controller;
    drawnBy(latest.current, pointed, signal).then(
      (one) => {
        if (signal.aborted) return;
        setFound(one);
        const item = latest.current.workspace.items.find(({ code }) => code === one?.layer);
        if (item) latest.current.onFound(item);
        else latest.current.changes.tell(texts.nothingThere);
      },
      (error: unknown) => !signal.aborted && latest.current.changes.tellProblem(error),
    );
    return () => controller.abort();
  }, [pointed]);
  return found;
}

async function drawnBy(
  { workspace: { project, map }, visible }: DrawnByContext,
  { at: [lon, lat], z, tolerancePx, vectorObjects }: PointedPlace,
  signal: AbortSignal,
): Promise<DrawnBy | null> {
  const [vector] = vectorObjects;
  if (vector) return { layer: vector.layer, block: null, class: null };
  const layers = visible
    .map(({ id }) => id)
    .reverse()
    .join(',');
  if (!layers) return null;
  const query = { lon, lat, z, tolerance: tolerancePx, layers, rules: '1', limit: 1 } as const;
  const params = { path: { map: map.code }, query };
  const [top] = await clientOf(project).get('/api/2.8/{project}/{map}/identify/', { params, signal });
  if (!top) return null;
  const block = top.drawn_by?.rules?.at(-1)?.blocks.at(-1) ?? null;
  return { layer: top.layer, block, class: top.drawn_by?.class ?? null };
}

/** The place of a block of the saved style in a text that was made from it; null: it is no longer there. */
export function placeIn(
  text: string,
  saved: string,
  block: { line: number; column: number },
): { line: number; column: number } | null {
  if (text === saved) return block;
  const line = text.split('\n').indexOf(saved.split('\n')[block.line - 1] ?? '') + 1;
  return line ? { line, column: block.column } : null;
}

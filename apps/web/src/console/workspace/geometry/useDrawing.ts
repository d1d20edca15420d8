import type { Geometry, Position } from 'geojson';
import { useEffect, useRef, useState } from 'react';
import type { MapView } from '../../../viewer/map/mapView.js';
import type { Drawing, DrawingTool } from './Drawing.js';
import { type Shape, type ShapeKind, shapesOf } from './shapes.js';

interface DrawingContext {
  view: MapView;
  kind: ShapeKind;
  geometry: Geometry | null;
  /** What was drawn before in its place; undefined: nothing. */
  drawn?: Geometry | null | undefined;
  readTargets: (signal: AbortSignal) => Promise<readonly Position[]>;
}

export interface DrawingState {
  shapes: readonly Shape[];
  tool: DrawingTool;
  canUndo: boolean;
  /** Whether an outline crosses itself. */
  isCrossing: boolean;
  /** Whether the tools are on the map. */
  isReady: boolean;
  setTool: (tool: DrawingTool) => void;
  undo: () => void;
  /** Draws other shapes, once the tools are on the map. Returns whether they can be drawn. */
  replace: (shapes: readonly Shape[]) => boolean;
}

/** Tells the boundary around the table why there are no tools: a page from before an update of the service does not find them. */
function useFailure(): (error: unknown) => void {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  if (failure) throw failure.error;
  return (error) => setFailure({ error });
}

/** A geometry that is drawn on the map, while the component is there. */
export function useDrawing({ view, kind, geometry, drawn, readTargets }: DrawingContext): DrawingState {
  const drawing = useRef<Drawing | null>(null);
  const [state, setState] = useState({
    shapes: shapesOf(geometry) ?? [],
    tool: (geometry ? 'move' : 'draw') as DrawingTool,
    canUndo: false,
    isCrossing: false,
    isReady: false,
  });
  const fail = useFailure();
  const read = (): void => {
    const now = drawing.current;
    if (!now) return;
    const { tool, canUndo, isCrossing } = now;
    setState({ shapes: now.shapes(), tool, canUndo, isCrossing, isReady: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawing begins with what the component is mounted with
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // The drawing tools are loaded when something is drawn.
    const loading = Promise.all([import('./Drawing.js'), view.whenReady()]);
    const begun = loading.then(([{ Drawing: Tools }, map]) => {
      if (signal.aborted) return;
      const shapes = shapesOf(geometry) ?? [];
      const isMulti = geometry?.type.startsWith('Multi') ?? false;
      drawing.current = new Tools({ map, kind, shapes, isMulti, onChange: () => queueMicrotask(read) });
      if (drawn !== undefined) drawing.current.replace(shapesOf(drawn) ?? []);
      read();
      readTargets(signal).then(
        (targets) => drawing.current?.setTargets(targets),
        () => {}, // without them nothing snaps
      );
    });
    begun.catch((error: unknown) => signal.aborted || fail(error));
    return () => {
      controller.abort();
      drawing.current?.stop();
      drawing.current = null;
    };
  }, [view]);
  const act = (change: (now: Drawing) => void): void => {
    if (drawing.current) change(drawing.current);
    read();
  };
  const replace = (shapes: readonly Shape[]): boolean => {
    try {
      act((now) => now.replace(shapes));
      return drawing.current !== null;
    } catch {
      return false;
    }
  };
  return {
    ...state,
    setTool: (tool) => act((now) => now.setTool(tool)),
    undo: () => act((now) => now.undo()),
    replace,
  };
}

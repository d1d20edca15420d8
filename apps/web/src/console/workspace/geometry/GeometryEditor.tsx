import { Button } from '@mantine/core';
import type { Geometry } from 'geojson';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import fields from '../../../common/fields.module.css';
import type { MapView } from '../../../viewer/map/mapView.js';
import { isCommandKey } from '../../isCommandKey.js';
import type { DrawingTool } from './Drawing.js';
import classes from './geometry.module.css';
import { geometryOf, hasLooseHole, measure, type Shape, type ShapeKind, shapesOf } from './shapes.js';
import { type DrawingState, useDrawing } from './useDrawing.js';
import { useGeometryTexts } from './useGeometryTexts.js';

interface GeometryEditorProps {
  view: MapView;
  id: number;
  geometry: Geometry | null;
  /** What was drawn before and not saved; undefined: nothing. */
  drawn: Geometry | null | undefined;
  /** Called with what is drawn; undefined: nothing has been changed. */
  onDrawn: (geometry: Geometry | null | undefined) => void;
  /** Reads vertices of other objects in the view, to which drawn ones are drawn. */
  readTargets: (signal: AbortSignal) => Promise<readonly GeoJSON.Position[]>;
  /** Stores the geometry; it fails where it cannot be stored. */
  onSave: (geometry: Geometry | null) => Promise<void>;
  onClose: () => void;
  explain: (error: unknown) => string;
}

/** Most vertices that are drawn. */
const vertexLimit = 5_000;
const kinds: readonly ShapeKind[] = ['point', 'line', 'area'];

/** The tools that draw the geometry of an object on the map, or why it cannot be drawn. */
export function GeometryEditor(props: GeometryEditorProps): ReactNode {
  const { id, geometry, drawn, onClose } = props;
  const texts = useGeometryTexts();
  const [kind, setKind] = useState(shapesOf(geometry ?? drawn ?? null)?.[0]?.kind ?? null);
  const problem = problemOf(geometry, texts);
  return (
    <section className={classes.editor} aria-label={texts.title(id)}>
      {problem !== null || kind === null ? (
        <div className={classes.tools}>
          <p className={classes.hint} role="status">
            {problem ?? texts.choose}
          </p>
          {problem === null &&
            kinds.map((one, i) => (
              <Button key={one} variant="default" size="compact-md" onClick={() => setKind(one)}>
                {texts.kinds[i]}
              </Button>
            ))}
          <Button variant="subtle" size="compact-md" onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      ) : (
        <Tools {...props} kind={kind} />
      )}
    </section>
  );
}

function problemOf(geometry: Geometry | null, texts: ReturnType<typeof useGeometryTexts>): string | null {
  const shapes = shapesOf(geometry);
  if (!shapes) return texts.mixed;
  if (shapes.some(({ line }) => line.some((position) => position.length > 2))) return texts.heights;
  const vertices = shapes.reduce((sum, { line }) => sum + line.length, 0);
  return vertices > vertexLimit ? texts.tooLarge(vertices) : null;
}

function Tools(props: GeometryEditorProps & { kind: ShapeKind }): ReactNode {
  const { geometry, kind, onSave, onDrawn, onClose, explain } = props;
  const texts = useGeometryTexts();
  const drawing = useDrawing(props);
  const [saving, setSaving] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isLoose = hasLooseHole(drawing.shapes);
  const now = geometryOf(drawing.shapes, geometry?.type.startsWith('Multi') ?? false);
  const problem = drawing.isCrossing ? texts.crossing : isLoose ? texts.looseHole : '';
  const save = (): void => {
    setSaving({ isBusy: true, error: null });
    onSave(now).catch((error: unknown) => setSaving({ isBusy: false, error }));
  };
  useDrawn(drawing, now, onDrawn);
  useUndoKey(drawing.undo);
  const tool = (name: DrawingTool, label: string): ReactNode => (
    <Button
      variant={drawing.tool === name ? 'light' : 'default'}
      size="compact-md"
      aria-pressed={drawing.tool === name}
      onClick={() => drawing.setTool(name)}
    >
      {label}
    </Button>
  );
  return (
    <>
      <div className={classes.tools} role="toolbar" aria-label={texts.tools} aria-busy={!drawing.isReady}>
        {tool('move', texts.move)}
        {tool('draw', texts.part)}
        {kind === 'area' && drawing.shapes.length > 0 && tool('hole', texts.hole)}
        <Button variant="default" size="compact-md" disabled={!drawing.canUndo} onClick={drawing.undo}>
          {texts.undo}
        </Button>
        <span className={classes.measure}>{measureText(drawing.shapes, texts)}</span>
        <span className={classes.end}>
          <Button variant="subtle" size="compact-md" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button
            size="compact-md"
            loading={saving.isBusy}
            disabled={!drawing.isReady || drawing.isCrossing || isLoose}
            onClick={save}
          >
            {texts.save}
          </Button>
        </span>
      </div>
      <p className={classes.hint}>
        {drawing.tool === 'move' ? texts.moveHint : texts.drawHints[kinds.indexOf(kind)]}
      </p>
      <p className={fields.problem} role="alert">
        {problem || (saving.error ? explain(saving.error) : '')}
      </p>
      <Coordinates drawing={drawing} kind={kind} />
    </>
  );
}

/** Ctrl Z takes back a step of the drawing, and none of the table, unless it is typed in a field. */
function useUndoKey(undo: () => void): void {
  const latest = useRef(undo);
  latest.current = undo;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isCommandKey(event, 'z') || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest('input, textarea, dialog')) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, []);
}

/** Tells what is drawn, after each step. */
function useDrawn(
  { isReady, canUndo, shapes }: DrawingState,
  now: Geometry | null,
  onDrawn: GeometryEditorProps['onDrawn'],
): void {
  const latest = useRef({ now, onDrawn });
  latest.current = { now, onDrawn };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step has other shapes
  useEffect(() => {
    if (isReady) latest.current.onDrawn(canUndo ? latest.current.now : undefined);
  }, [isReady, canUndo, shapes]);
}

function measureText(shapes: readonly Shape[], texts: ReturnType<typeof useGeometryTexts>): string {
  const measured = measure(shapes);
  if (!measured) return '';
  return measured.kind === 'line' ? texts.length(measured.value) : texts.area(measured.value);
}

/** The geometry as text, by which it is drawn without a pointer. */
function Coordinates({ drawing, kind }: { drawing: DrawingState; kind: ShapeKind }): ReactNode {
  const texts = useGeometryTexts();
  const [text, setText] = useState<string | null>(null);
  const [isWrong, setWrong] = useState(false);
  const problem = useId();
  const apply = (): void => {
    const shapes = shapesIn(text ?? '');
    const fits = shapes?.every((shape) => shape.kind === kind) && drawing.replace(shapes);
    setWrong(!fits);
    if (fits) setText(null);
  };
  return (
    <details className={classes.coordinates}>
      <summary>{texts.coordinates}</summary>
      <div className={fields.field}>
        <textarea
          rows={4}
          aria-label={texts.coordinatesLabel}
          aria-describedby={problem}
          spellCheck={false}
          value={text ?? JSON.stringify(geometryOf(drawing.shapes, false))}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <p id={problem} className={fields.problem} role="alert">
        {isWrong ? texts.noGeoJson : ''}
      </p>
      <Button
        variant="default"
        size="compact-md"
        disabled={text === null || !drawing.isReady}
        onClick={apply}
      >
        {texts.apply}
      </Button>
    </details>
  );
}

/** The shapes of a GeoJSON geometry, which may lie beyond 180 degrees; null: the text is none. */
function shapesIn(text: string): Shape[] | null {
  try {
    const shapes = shapesOf(JSON.parse(text) as Geometry);
    return shapes && shapesOf(geometryOf(shapes, false));
  } catch {
    return null;
  }
}

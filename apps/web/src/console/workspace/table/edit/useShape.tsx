import { Button } from '@mantine/core';
import type { Geometry, Position } from 'geojson';
import { type ReactNode, useCallback, useState } from 'react';
import { useDraft, useKept } from '../../../drafts.js';
import { bringIntoView } from '../../geometry/bringIntoView.js';
import { GeometryEditor } from '../../geometry/GeometryEditor.js';
import { measure, shapesOf } from '../../geometry/shapes.js';
import { useGeometryTexts } from '../../geometry/useGeometryTexts.js';
import { Conflict } from '../../inspector/Conflict.js';
import type { TableContext } from '../context.js';
import type { RowStore } from '../rows/RowStore.js';
import type { RowSource } from '../rows/source.js';
import type { EditStore } from './EditStore.js';
import classes from './edit.module.css';
import { presentIn, readObject, type VersionedObject, writeObject } from './objects.js';
import { useExplain } from './useExplain.js';
import { isSame } from './values.js';

interface ShapeContext extends Pick<TableContext, 'workspace' | 'item' | 'view' | 'changes' | 'onStored'> {
  store: RowStore;
  edits: EditStore;
}

/** A geometry that is drawn and not saved, and the version that it is drawn over. */
interface ShapeDraft {
  object: VersionedObject;
  drawn: Geometry | null;
}

/** An object whose geometry is drawn, and what somebody else has stored meanwhile over a drawn geometry. */
interface OpenShape extends Partial<ShapeDraft> {
  id: number;
  object: VersionedObject;
  conflict: { mine: Geometry | null; theirs: VersionedObject } | null;
}

export interface ShapeEditing {
  isOpen: boolean;
  /** Counts the geometries that were stored. */
  stored: number;
  open: (id: number) => Promise<void>;
  element: ReactNode;
}

/** Drawing of the geometry of an object: it is stored with the version that was read. */
export function useShape(context: ShapeContext): ShapeEditing {
  const { view, changes, store } = context;
  const explain = useExplain();
  const [shape, setShape] = useState<OpenShape | null>(null);
  const [stored, setStored] = useState(0);
  const { source } = store;
  const readTargets = useTargets(source, view, shape?.id);
  const { kept, keep } = useKeptShapes(context);
  const close = (): void => {
    if (shape) keep(shape.id, null);
    setShape(null);
  };
  const countStored = (): void => setStored((before) => before + 1);
  const save = useSave(context, { setShape, countStored, close });
  const open = async (id: number): Promise<void> => {
    const draft = kept[id];
    const object = draft?.object ?? (await readObject(source, id));
    view?.mark(null);
    if (!object) return store.reload();
    if (view) await bringIntoView(view, draft?.drawn ?? object.geom);
    setShape({ ...draft, id, object, conflict: null });
  };
  const settle = async (one: OpenShape, isMine: boolean): Promise<void> => {
    const { mine, theirs } = one.conflict!;
    if (isMine) return save({ ...one, object: theirs, conflict: null }, mine);
    close();
    await context.edits.refresh(one.id);
  };
  const [unsaved] = Object.keys(kept).map(Number);
  const element = !view ? null : !shape ? (
    unsaved !== undefined && (
      <UnsavedShape id={unsaved} onOpen={() => void open(unsaved)} onGiveUp={() => keep(unsaved, null)} />
    )
  ) : (
    <>
      <GeometryEditor
        key={shape.id}
        view={view}
        id={shape.id}
        geometry={shape.object.geom}
        drawn={shape.drawn}
        onDrawn={(drawn) => keep(shape.id, drawn === undefined ? null : { object: shape.object, drawn })}
        readTargets={readTargets}
        onSave={(geometry) => save(shape, geometry)}
        onClose={close}
        explain={explain}
      />
      {shape.conflict && (
        <ShapeConflict
          id={shape.id}
          mine={shape.conflict.mine}
          theirs={shape.conflict.theirs.geom}
          onChoose={(isMine) => void settle(shape, isMine).catch(changes.tellProblem)}
          onLater={() => setShape({ ...shape, conflict: null })}
        />
      )}
    </>
  );
  return { isOpen: shape !== null, stored, open, element };
}

/** The geometries of the layer that are drawn and not saved, by their objects: they outlive the page. */
function useKeptShapes({ workspace: { project, map }, item }: ShapeContext) {
  const draft = useDraft<Readonly<Record<number, ShapeDraft>>>('shapes', project, map.code, item.code);
  const [value, set] = useKept(draft);
  const kept = value ?? {};
  const keep = (id: number, shape: ShapeDraft | null): void => {
    const { [id]: known, ...others } = kept;
    if (!known && !shape) return;
    const next = shape ? { ...others, [id]: shape } : others;
    set(Object.keys(next).length ? next : null);
  };
  return { kept, keep };
}

interface UnsavedShapeProps {
  id: number;
  onOpen: () => void;
  onGiveUp: () => void;
}

/** Tells of a geometry that was drawn before and not saved. */
function UnsavedShape({ id, onOpen, onGiveUp }: UnsavedShapeProps): ReactNode {
  const texts = useGeometryTexts();
  return (
    <div className={classes.unsaved}>
      <p role="alert">{texts.kept(id)}</p>
      <Button variant="default" size="compact-md" onClick={onOpen}>
        {texts.goOn}
      </Button>
      <Button variant="subtle" size="compact-md" onClick={onGiveUp}>
        {texts.giveUp}
      </Button>
    </div>
  );
}

/** Gives the function that stores a geometry, and remembers how that is taken back. */
function useSave(
  { changes, onStored, store, edits }: ShapeContext,
  {
    setShape,
    countStored,
    close,
  }: { setShape: (shape: OpenShape) => void; countStored: () => void; close: () => void },
) {
  const texts = useGeometryTexts();
  const { source } = store;
  const isStored = async (id: number): Promise<void> => {
    await edits.refresh(id);
    onStored();
    countStored();
  };
  return async (one: OpenShape, geometry: Geometry | null): Promise<void> => {
    const { id, object } = one;
    const theirs = await writeShape(source, id, geometry, object);
    if (theirs) return setShape({ ...one, conflict: { mine: geometry, theirs } });
    const undo = async (): Promise<void> => {
      const now = edits.aliases.now(id);
      const present = await readObject(source, now);
      await writeObject(source, now, { geom: object.geom }, present?.etag ?? '*');
      await isStored(now);
    };
    edits.remember({ label: texts.step(id), undo });
    changes.tell(texts.stored(id));
    close();
    await isStored(id);
  };
}

/** Writes a geometry over a version. Gives the version of somebody else who has changed the geometry. */
async function writeShape(
  source: RowSource,
  id: number,
  geom: Geometry | null,
  base: VersionedObject,
): Promise<VersionedObject | null> {
  let { etag } = base;
  for (;;) {
    try {
      await writeObject(source, id, { geom }, etag);
      return null;
    } catch (error) {
      const present = presentIn(error);
      if (!present) throw error;
      if (!isSame(present.geom, base.geom)) return present;
      // Others have changed values of the object, which the geometry leaves as they are.
      ({ etag } = present);
    }
  }
}

interface ShapeConflictProps {
  id: number;
  mine: Geometry | null;
  theirs: Geometry | null;
  onChoose: (isMine: boolean) => void;
  onLater: () => void;
}

/** Both geometries, described by their size. */
function ShapeConflict({ id, mine, theirs, onChoose, onLater }: ShapeConflictProps): ReactNode {
  const texts = useGeometryTexts();
  const describe = (geometry: Geometry | null): string => {
    const shapes = shapesOf(geometry) ?? [];
    if (!shapes.length) return texts.none;
    const size = measure(shapes);
    const vertices = texts.vertices(shapes.reduce((sum, { line }) => sum + line.length, 0));
    if (!size) return vertices;
    return `${size.kind === 'line' ? texts.length(size.value) : texts.area(size.value)}, ${vertices}`;
  };
  return (
    <Conflict
      fields={[{ key: 'geom', label: texts.step(id), mine: describe(mine), theirs: describe(theirs) }]}
      onChoose={(kept) => onChoose(kept?.has('geom') ?? false)}
      onLater={onLater}
    />
  );
}

/** Most objects whose vertices are snapped to. */
const targetLimit = 300;

/** Reads the vertices of the other objects of the layer in the view. */
function useTargets({ client, path }: RowSource, view: TableContext['view'], own: number | undefined) {
  return useCallback(
    async (signal: AbortSignal): Promise<readonly Position[]> => {
      if (!view) return [];
      const map = await view.whenReady();
      const { _sw: sw, _ne: ne } = map.getBounds();
      const fbbox = [
        Math.max(-90, sw.lat),
        Math.max(-180, sw.lng),
        Math.min(90, ne.lat),
        Math.min(180, ne.lng),
      ];
      const found = await client.post('/api/2.8/{project}/{map}/layers/{layer}/filter/', {
        params: { path },
        // Simplified geometries keep vertices of those that are stored.
        body: { fbbox, returnGeom: '1', geomZoom: Math.min(24, map.getZoom() + 2), limit: targetLimit },
        isRead: true,
        signal,
      });
      return found.flatMap(({ id, geom }) =>
        id === own ? [] : (shapesOf((geom as Geometry | null) ?? null) ?? []).flatMap(({ line }) => line),
      );
    },
    [client, path, view, own],
  );
}

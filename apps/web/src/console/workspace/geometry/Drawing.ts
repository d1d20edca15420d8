import type { Geometry, Position } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import {
  type GeoJSONStoreFeatures,
  type SnapToCustom,
  TerraDraw,
  TerraDrawLineStringMode,
  TerraDrawModeUndoRedo,
  TerraDrawPointMode,
  TerraDrawPolygonMode,
  TerraDrawSelectMode,
  ValidateNotSelfIntersecting,
} from 'terra-draw';
import { nearestTo } from './antimeridian.js';
import { ShiftedAdapter } from './ShiftedAdapter.js';
import { coordinateDecimals, geometryOf, type Shape, type ShapeKind } from './shapes.js';

/** What the pointer does: move what is there, draw a part, or cut a hole. */
export type DrawingTool = 'move' | 'draw' | 'hole';

const modes = { point: 'point', line: 'linestring', area: 'polygon' } as const;
const kinds: Readonly<Record<string, ShapeKind>> = { Point: 'point', LineString: 'line', Polygon: 'area' };

/** Distance within which a vertex is drawn to one of another object, pixels. */
const snapPx = 12;
/** Distance within which a vertex is pointed at, pixels: that of a finger. */
const pointerDistance = 20;
const colour = '#d9480f';
/** Mean distance of vertices below which they are drawn small, pixels: else they hide the line and each other. */
const densePx = 18;

interface DrawingOptions {
  map: MapLibreMap;
  kind: ShapeKind;
  shapes: readonly Shape[];
  /** Whether the geometry has several parts even where it has one. */
  isMulti: boolean;
  onChange: () => void;
}

/** A geometry that is drawn on the map. Every ring of an area is a polygon of its own until the geometry is asked for. */
export class Drawing {
  readonly #draw: TerraDraw;
  readonly #adapter: ShiftedAdapter;
  readonly #map: MapLibreMap;
  #isDense = false;
  readonly #kind: ShapeKind;
  readonly #isMulti: boolean;
  /** Positions as they were stored, by what the drawing tools round them to. */
  readonly #stored = new Map<string, Position>();
  #tool: DrawingTool = 'move';
  #targets: readonly Position[] = [];
  /** What was drawn before each step, and what is drawn now. */
  readonly #steps: (readonly Shape[])[] = [];
  #present: readonly Shape[] = [];
  #isLoading = false;

  constructor({ map, kind, shapes, isMulti, onChange }: DrawingOptions) {
    this.#kind = kind;
    this.#map = map;
    this.#isMulti = isMulti;
    const adapter = new ShiftedAdapter(map, coordinateDecimals);
    this.#adapter = adapter;
    this.#draw = new TerraDraw({
      adapter,
      modes: drawingModes((event, { project }) => nearest(this.#targets, event, project)),
      undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
    });
    this.#draw.start();
    this.#load(shapes);
    this.#present = this.shapes();
    this.#draw.on('finish', (id, { action }) => {
      if (action === 'draw') {
        if (this.#tool === 'hole') this.#draw.updateFeatureProperties(id, { isHole: true });
        // One part is drawn at a time: what follows is moving it.
        this.setTool('move');
      }
      this.#record();
      onChange();
    });
    this.#draw.on('change', (_, type) => {
      // A mode that draws deletes its own handles, before it is known that a ring is a hole.
      if (type === 'delete' && this.#tool === 'move' && !this.#isLoading) this.#record();
      onChange();
    });
    this.setTool(shapes.length ? 'move' : 'draw');
    map.on('zoomend', this.#sizeVertices);
    map.on('moveend', this.#turn);
    this.#sizeVertices();
  }

  get tool(): DrawingTool {
    return this.#tool;
  }

  setTool(tool: DrawingTool): void {
    this.#tool = tool;
    this.#draw.setMode(tool === 'move' ? 'select' : modes[this.#kind]);
    const [first, ...others] = this.#features();
    if (tool === 'move' && first && !others.length) this.#draw.selectFeature(first.id!);
  }

  /** Vertices of other objects, to which drawn ones are drawn. */
  setTargets(targets: readonly Position[]): void {
    const { origin } = this.#adapter;
    this.#targets = targets.map(([lng, lat]) => [nearestTo(lng!, origin) - origin, lat!]);
  }

  /** Draws these shapes in place of all others. When they cannot be drawn, the others stay. */
  replace(shapes: readonly Shape[]): void {
    const before = this.shapes();
    try {
      this.#reload(shapes);
    } catch (error) {
      this.#reload(before);
      throw error;
    }
    this.#record();
  }

  get canUndo(): boolean {
    return this.#steps.length > 0 || this.#draw.canUndo();
  }

  /** Takes back the last vertex of what is being drawn, else the last step. */
  undo(): void {
    if (this.#draw.canUndo()) this.#draw.undo();
    else {
      const shapes = this.#steps.pop();
      if (shapes) this.#reload(shapes);
      this.#present = this.shapes();
    }
  }

  shapes(): Shape[] {
    return this.#features().map(({ geometry, properties }) => {
      const line = geometry.type === 'Polygon' ? geometry.coordinates[0]! : [geometry.coordinates].flat();
      const positions = (geometry.type === 'Point' ? [geometry.coordinates] : line) as Position[];
      return {
        kind: kinds[geometry.type]!,
        line: positions.map((one) => this.#placed(one)),
        isHole: properties.isHole === true,
      };
    });
  }

  geometry(): Geometry | null {
    return geometryOf(this.shapes(), this.#isMulti);
  }

  /** Whether an outline crosses itself. */
  get isCrossing(): boolean {
    return this.#features().some(
      (one) => one.geometry.type === 'Polygon' && !ValidateNotSelfIntersecting(one).valid,
    );
  }

  /** Counts from another longitude when the map has been moved to another side of the earth. */
  readonly #turn = (): void => {
    const shapes = this.shapes();
    const isBegun = this.#draw.getSnapshot().some(({ properties }) => properties.currentlyDrawing);
    if (isBegun || originFor(shapes, this.#map.getCenter().lng) === this.#adapter.origin) return;
    const tool = this.#tool;
    this.#reload(shapes);
    this.setTool(tool);
  };

  /** Draws dense vertices small, until the map is zoomed in. */
  readonly #sizeVertices = (): void => {
    const lines = this.shapes().map(({ line }) => line);
    const isDense = meanDistance(lines, ([x, y]) => this.#map.project([x!, y!])) < densePx;
    if (isDense === this.#isDense) return;
    this.#isDense = isDense;
    this.#draw.updateModeOptions<typeof TerraDrawSelectMode>('select', { styles: selectStyles(isDense) });
  };

  stop(): void {
    this.#map.off('zoomend', this.#sizeVertices);
    this.#map.off('moveend', this.#turn);
    this.#draw.stop();
  }

  /** What is drawn, without what is just begun and without the handles of the tools. */
  #features(): GeoJSONStoreFeatures[] {
    return this.#draw
      .getSnapshot()
      .filter(({ properties }) => properties.mode === modes[this.#kind] && !properties.currentlyDrawing);
  }

  /** Remembers what was drawn before, where that has changed. */
  #record(): void {
    const now = this.shapes();
    if (JSON.stringify(now) === JSON.stringify(this.#present)) return;
    this.#steps.push(this.#present);
    this.#present = now;
  }

  #reload(shapes: readonly Shape[]): void {
    this.#isLoading = true;
    try {
      // Another mode gives up what is selected, and what was only begun.
      this.#draw.setMode(modes[this.#kind]);
      this.#draw.removeFeatures(this.#features().map(({ id }) => id!));
      this.#load(shapes);
    } finally {
      this.#isLoading = false;
    }
    this.setTool(shapes.length ? 'move' : 'draw');
  }

  #load(shapes: readonly Shape[]): void {
    this.#adapter.origin = originFor(shapes, this.#map.getCenter().lng);
    const features = shapes.map(({ line, isHole }): GeoJSONStoreFeatures => {
      const east = shiftTo(line, this.#adapter.origin);
      const positions = line.map((one) => this.#rounded(one, east));
      return {
        type: 'Feature',
        properties: { mode: modes[this.#kind], isHole },
        geometry:
          this.#kind === 'area'
            ? { type: 'Polygon', coordinates: [positions] }
            : this.#kind === 'line'
              ? { type: 'LineString', coordinates: positions }
              : { type: 'Point', coordinates: positions[0]! },
      };
    });
    const refused = this.#draw.addFeatures(features).find(({ valid }) => !valid);
    if (refused) throw new Error(refused.reason);
  }

  /** A position as the drawing tools have it; `east`: the degrees by which its shape is moved. */
  #rounded(position: Position, east: number): Position {
    const [lng, lat] = position as [number, number];
    this.#stored.set(keyOf(position), position);
    return [rounded(lng + east), rounded(lat)];
  }

  /** Where a position of the drawing tools is on the earth: exactly where it was stored, unless it has been moved. */
  #placed([lng, lat]: Position): Position {
    const placed = [rounded(lng! + this.#adapter.origin), lat!];
    const stored = this.#stored.get(keyOf(placed));
    return stored ? [nearestTo(stored[0]!, placed[0]!), stored[1]!] : placed;
  }
}

const scale = 10 ** coordinateDecimals;
const rounded = (degrees: number): number => Math.round(degrees * scale) / scale;
const keyOf = ([lng, lat]: Position): string => `${rounded(nearestTo(lng!, 0))} ${rounded(lat!)}`;

/** By how many degrees a shape is moved for the drawing tools. */
function shiftTo(line: readonly Position[], origin: number): number {
  if (origin === 0) return 0;
  const lngs = line.map(([lng]) => lng!);
  const middle = (Math.min(...lngs) + Math.max(...lngs)) / 2;
  return nearestTo(middle, origin) - middle - origin;
}

/** The longitude that the drawing tools count from: on the far side of the earth the antimeridian, where all shapes allow it. */
function originFor(shapes: readonly Shape[], center: number): 0 | 180 {
  const isFar = Math.abs(nearestTo(center, 0)) > 90;
  const fits = ({ line }: Shape): boolean => {
    const east = shiftTo(line, 180);
    return line.every(([lng]) => Math.abs(lng! + east) <= 180);
  };
  return isFar && shapes.every(fits) ? 180 : 0;
}

function drawingModes(toCustom: SnapToCustom) {
  const snapping = { toCustom, toCoordinate: true };
  const coordinates = { draggable: true, midpoints: true, deletable: true, snappable: snapping };
  const feature = { draggable: true, coordinates };
  return [
    new TerraDrawSelectMode({
      pointerDistance,
      flags: { polygon: { feature }, linestring: { feature }, point: { feature: { draggable: true } } },
      styles: selectStyles(false),
    }),
    new TerraDrawPointMode({ styles: { pointColor: colour } }),
    new TerraDrawLineStringMode({ snapping, pointerDistance, styles: { lineStringColor: colour } }),
    new TerraDrawPolygonMode({
      snapping,
      pointerDistance,
      styles: { fillColor: colour, fillOpacity: 0.15, outlineColor: colour },
    }),
  ];
}

const selectStyles = (isDense: boolean) =>
  ({
    selectedPolygonColor: colour,
    selectedPolygonOutlineColor: colour,
    selectedLineStringColor: colour,
    selectedPointColor: colour,
    selectionPointColor: '#ffffff',
    selectionPointOutlineColor: colour,
    selectionPointWidth: isDense ? 2 : 6,
    selectionPointOutlineWidth: isDense ? 1 : 2,
    midPointColor: colour,
    midPointWidth: isDense ? 0 : 4,
    midPointOutlineWidth: isDense ? 0 : 1,
  }) as const;

/** The mean distance of consecutive vertices on the screen, pixels; of points alone it is endless. */
function meanDistance(
  lines: readonly (readonly Position[])[],
  project: (position: Position) => { x: number; y: number },
): number {
  let [sum, n] = [0, 0];
  for (const line of lines) {
    const places = line.map(project);
    for (const [i, { x, y }] of places.slice(1).entries()) {
      sum += Math.hypot(x - places[i]!.x, y - places[i]!.y);
      n++;
    }
  }
  return n ? sum / n : Infinity;
}

/** The nearest of the targets that is close to the pointer. */
function nearest(
  targets: readonly Position[],
  { containerX, containerY }: { containerX: number; containerY: number },
  project: (lng: number, lat: number) => { x: number; y: number },
): Position | undefined {
  let best: Position | undefined;
  let least = snapPx;
  for (const target of targets) {
    const { x, y } = project(target[0]!, target[1]!);
    const distance = Math.hypot(x - containerX, y - containerY);
    if (distance < least) [best, least] = [target, distance];
  }
  return best?.slice(0, 2);
}

import type { Geometry } from 'geojson';
import type { Extent } from '../../../../common/types.js';
import { type RowSource, readGeometries, type TableRow } from './source.js';

/** Width of a sketch for which geometries are simplified, pixels. */
const sketchPx = 48;
/** Pause in which rows that come into view share a request, ms. */
const pauseMs = 40;

const isPoint = ({ sw, ne }: Extent): boolean => sw[0] === ne[0] && sw[1] === ne[1];

/** The zoom level, a multiple of two so that rows share requests, at which an extent is as wide as a number of pixels. */
export function zoomForWidth({ sw, ne }: Extent, widthPx: number): number {
  const degrees = Math.max(ne[0] - sw[0], ne[1] - sw[1], 1e-6);
  const zoom = Math.log2((widthPx / 256) * (360 / degrees));
  return Math.min(24, Math.max(0, 2 * Math.ceil(zoom / 2)));
}

type Listener = (geometry: Geometry | null) => void;

/** Small geometries of rows. What comes into view together is asked for together. */
export class SketchStore {
  readonly #source: RowSource;
  readonly #known = new Map<string, Geometry | null>();
  readonly #waiting = new Map<number, Map<number, Listener[]>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** Gives the geometry of a row to the listener, at once or later. Returns a function that ends the wait. */
  request({ id, bbox }: TableRow, listener: Listener): () => void {
    if (!bbox) return ignore(listener, null);
    if (isPoint(bbox)) return ignore(listener, { type: 'Point', coordinates: [bbox.sw[1], bbox.sw[0]] });
    const key = keyOf(id, bbox);
    const known = this.#known.get(key);
    if (known !== undefined) return ignore(listener, known);
    const zoom = zoomForWidth(bbox, sketchPx);
    const group = this.#waiting.get(zoom) ?? new Map<number, Listener[]>();
    this.#waiting.set(zoom, group);
    const remember: Listener = (geometry) => this.#known.set(key, geometry);
    group.set(id, [...(group.get(id) ?? [remember]), listener]);
    this.#timer ??= setTimeout(() => this.#send(), pauseMs);
    return () => {
      const rest = group.get(id)?.filter((one) => one !== listener);
      if (rest && rest.length > 1) group.set(id, rest);
      else group.delete(id);
    };
  }

  #send(): void {
    this.#timer = undefined;
    for (const [zoom, group] of this.#waiting) {
      const ids = [...group.keys()];
      if (!ids.length) continue;
      readGeometries(this.#source, ids, zoom).then(
        (found) => {
          for (const [id, listeners] of group) for (const tell of listeners) tell(found.get(id) ?? null);
        },
        () => {}, // the cell stays empty, and is asked for again when it comes into view
      );
    }
    this.#waiting.clear();
  }
}

const keyOf = (id: number, { sw, ne }: Extent): string => [id, ...sw, ...ne].join(' ');

function ignore(listener: Listener, geometry: Geometry | null): () => void {
  listener(geometry);
  return () => {};
}

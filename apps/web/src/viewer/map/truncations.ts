import type { Map as MapLibreMap } from 'maplibre-gl';
import type { VectorLayer } from './vectorLayers.js';

/** A layer of which the map shows only some objects. */
export interface Truncation {
  /** Name of the layer. */
  name: string;
  shown: number;
  total: number;
}

/** The response header that lists layers with left-out objects. */
export const truncatedHeader = 'cartulary-truncated';

/** The deepest zoom level of vector tiles. */
export const maxTileZoom = 18;

interface LayerCount {
  code: string;
  shown: number;
  total: number;
}

interface TilePosition {
  z: number;
  x: number;
  y: number;
}

/** Parses `roads=20000/135233, towns=500/700`; malformed parts are ignored. */
function parseHeader(header: string): LayerCount[] {
  return header.split(',').flatMap((part) => {
    const [, code, shown, total] = /^\s*([\w-]+)=(\d+)\/(\d+)\s*$/.exec(part) ?? [];
    return code ? [{ code, shown: Number(shown), total: Number(total) }] : [];
  });
}

/** Records which objects the responses leave out, and sums them for the current view. */
export class Truncations {
  /** By tile address. */
  readonly #tiles = new Map<string, TilePosition & { counts: LayerCount[] }>();
  /** By layer code: object lists of clustered layers. */
  readonly #lists = new Map<string, LayerCount>();

  recordTile(url: string, header: string | null): void {
    const [, z, x, y] = /\/(\d+)\/(\d+)\/(\d+)\.pbf\?/.exec(url) ?? [];
    if (!header || !z) this.#tiles.delete(url);
    else this.#tiles.set(url, { z: Number(z), x: Number(x), y: Number(y), counts: parseHeader(header) });
  }

  recordList(code: string, header: string | null): void {
    const [count] = parseHeader(header ?? '');
    if (count) this.#lists.set(code, count);
    else this.#lists.delete(code);
  }

  inView(map: MapLibreMap, layers: readonly VectorLayer[]): Truncation[] {
    const tileCounts = [...this.#tiles.values()]
      .filter((tile) => isInView(map, tile))
      .flatMap(({ counts }) => counts);
    return layers.flatMap(({ code, name, vectorSettings, filter }) => {
      const list = this.#lists.get(code);
      const counts =
        vectorSettings?.clusteringEnabled && !filter
          ? list
            ? [list]
            : []
          : tileCounts.filter((count) => count.code === code);
      if (!counts.length) return [];
      const sum = (value: (count: LayerCount) => number) =>
        counts.reduce((total, count) => total + value(count), 0);
      return [{ name: name || code, shown: sum(({ shown }) => shown), total: sum(({ total }) => total) }];
    });
  }
}

/** Whether the map shows a tile at its current zoom level. */
function isInView(map: MapLibreMap, { z, x, y }: TilePosition): boolean {
  if (z !== Math.min(maxTileZoom, Math.floor(map.getZoom()))) return false;
  const bounds = map.getBounds();
  const side = 2 ** z;
  const column = (lon: number) => ((lon + 180) / 360) * side;
  const row = (lat: number) =>
    ((1 - Math.asinh(Math.tan((Math.max(-85.05, Math.min(85.05, lat)) * Math.PI) / 180)) / Math.PI) / 2) *
    side;
  if (y + 1 < row(bounds.getNorth()) || y > row(bounds.getSouth())) return false;
  // The view may show copies of the world to the west and the east.
  return [-side, 0, side].some(
    (offset) => x + offset + 1 > column(bounds.getWest()) && x + offset < column(bounds.getEast()),
  );
}

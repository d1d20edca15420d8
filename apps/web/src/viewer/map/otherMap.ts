import { Map as MapLibreMap } from 'maplibre-gl';
import type { PublishedMap } from '../../common/types.js';
import { addBaseMap } from './baseMap.js';
import type { MapView } from './mapView.js';
import { tileLayer, tileSource } from './overlays.js';
import { tileTemplate } from './tiles.js';

/** A second map that shows the place which a map shows, without controls of its own. */
export class OtherMap {
  readonly #map: MapLibreMap;
  readonly #stop: () => void;

  constructor(container: HTMLElement, view: MapView, content: { map: PublishedMap; language: string }) {
    const map = new MapLibreMap({
      container,
      style: { version: 8, sources: {}, layers: [] },
      interactive: false,
      attributionControl: false,
      fadeDuration: 0,
      refreshExpiredTiles: false,
    });
    this.#map = map;
    map.on('error', () => {}); // the tile loader reports failures
    map.once('style.load', () => addTiles(map, content));
    map.getCanvas().tabIndex = -1;
    this.#stop = view.watchCamera((camera) => map.jumpTo(camera));
  }

  destroy(): void {
    this.#stop();
    this.#map.remove();
  }
}

/** The map as it is published. */
function addTiles(map: MapLibreMap, content: { map: PublishedMap; language: string }): void {
  const { project, code, ground } = content.map;
  if (ground) addBaseMap(map);
  const template = tileTemplate({ project, map: code, language: content.language, hasBaseMap: ground });
  map.addSource(tileSource, { type: 'raster', scheme: 'tms', tileSize: 256, maxzoom: 23, tiles: [template] });
  map.addLayer({ id: tileLayer, type: 'raster', source: tileSource });
}

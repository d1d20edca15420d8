import 'maplibre-gl/dist/maplibre-gl.css';
import type { Feature, Geometry } from 'geojson';
import {
  type FitBoundsOptions,
  type GeoJSONSource,
  Map as MapLibreMap,
  type RasterTileSource,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { visibleBounds } from '../../common/extent.js';
import type { Extent } from '../../common/types.js';
import type { PointedPlace } from '../types.js';
import { addBaseMap, isBaseMapLayer } from './baseMap.js';
import { circleAround, type LonLat, surroundings } from './geometry.js';
import { provideCountImages } from './icons.js';
import { addOverlays, overlays, tileLayer, tileSource } from './overlays.js';
import type { Padding } from './padding.js';
import { type MapPicture, takePicture } from './picture.js';
import { handlePointing } from './pointing.js';
import { TileLoader, type TilePlan, type TileProgress, tileTemplate } from './tiles.js';
import { type Truncation, Truncations } from './truncations.js';
import { handleVectorClicks } from './vectorHits.js';
import type { VectorLayer } from './vectorLayers.js';
import { filterVectors, setVectors, type VectorPlan } from './vectors.js';

// A worker file of this service: MapLibre's default worker would need `blob:` in the content security policy.
setWorkerUrl(new URL(workerUrl, import.meta.url).href);

export interface ViewState {
  /** Ground size of a CSS pixel at the centre of the map, metres. */
  metresPerPixel: number;
  zoom: number;
}

export interface MapViewOptions {
  container: HTMLElement;
  extent: Extent | null;
  padding: Padding;
  onPoint: (place: PointedPlace) => void;
  onView: (view: ViewState) => void;
  onTiles: (progress: TileProgress) => void;
  /** Called with true when the map is completely drawn, with false when drawing starts. */
  onDrawn: (isDrawn: boolean) => void;
  /** Receives the client-drawn layers that are incomplete in the view. */
  onTruncations: (layers: readonly Truncation[]) => void;
}

/** Circumference of the earth at the equator in Web Mercator, metres (2π · 6378137). */
const equatorMetres = 40_075_016.686;
/** Zoom level for a single point with its surroundings: a town and its neighbours. */
const pointZoom = 11;
const fadeMs = 200;
const moveMs = 500;

/** The map: MapLibre with the service's tiles, client-drawn layers and overlays. The constructor throws without WebGL 2. */
export class MapView {
  readonly #map: MapLibreMap;
  readonly #options: MapViewOptions;
  readonly #reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  readonly #truncations = new Truncations();
  readonly #loader: TileLoader;
  /** Resolves when the map accepts sources and layers. */
  readonly #ready: Promise<void>;
  #vectors: readonly VectorLayer[] = [];
  #hasPopups = true;
  #tiles: TilePlan | null = null;
  /** Names the features and layers of the present plan. */
  #vectorKey = '';
  #vectorsSet: Promise<void> = Promise.resolve();
  /** Aborts the plan of client-drawn layers that a newer one replaces. */
  #vectorChange = new AbortController();

  constructor(options: MapViewOptions) {
    this.#options = options;
    this.#loader = new TileLoader({
      onProgress: options.onTiles,
      onTruncated: (url, header) => this.#truncations.recordTile(url, header),
    });
    const map = createMap(options, this.#reducedMotion);
    this.#map = map;
    this.#ready = new Promise((resolve) => {
      map.once('style.load', () => {
        addOverlays(map, this.#reducedMotion);
        resolve();
      });
    });
    handlePointing(map, options.onPoint, () => this.#vectors);
    handleVectorClicks(map, () => (this.#hasPopups ? this.#vectors : []));
    provideCountImages(map);
    this.#reportState();
  }

  setTiles(plan: TilePlan): void {
    this.#loader.resetFailures();
    this.#tiles = plan;
    void this.#ready.then(() => setTiles(this.#map, plan, this.#reducedMotion));
  }

  setVectors(plan: VectorPlan): void {
    this.#vectors = plan.layers;
    // Another range of the same column needs no other features.
    const key = JSON.stringify({
      ...plan,
      layers: plan.layers.map((layer) => ({ ...layer, filter: layer.filter?.column })),
    });
    if (key === this.#vectorKey) {
      void this.#vectorsSet.then(() => filterVectors(this.#map, this.#vectors));
      return;
    }
    this.#vectorKey = key;
    this.#vectorChange.abort();
    this.#vectorChange = new AbortController();
    const { signal } = this.#vectorChange;
    const onList = (code: string, header: string | null): void => this.#truncations.recordList(code, header);
    this.#vectorsSet = this.#ready.then(() => setVectors(this.#map, { ...plan, onList }, signal));
  }

  /** Calls `listener` with the extent in view, now and when the map has moved. The returned function ends this. */
  watchExtent(listener: (extent: Extent) => void): () => void {
    const report = (): void => listener(extentInView(this.#map));
    report();
    this.#map.on('moveend', report);
    return () => this.#map.off('moveend', report);
  }

  /** Calls `listener` with the camera, now and whenever it moves. The returned function ends this. */
  watchCamera(listener: (camera: { center: [number, number]; zoom: number }) => void): () => void {
    const report = (): void =>
      listener({ center: this.#map.getCenter().toArray(), zoom: this.#map.getZoom() });
    report();
    this.#map.on('move', report);
    return () => this.#map.off('move', report);
  }

  /** A picture of the map as it is seen, as soon as all of it is drawn. */
  async takePicture(): Promise<MapPicture> {
    await this.#ready;
    const plan = this.#tiles;
    // On a screen of low density the tiles have half of the pixels that a sheet shows.
    if (plan) setTiles(this.#map, { ...plan, isDetailed: true }, this.#reducedMotion);
    try {
      return await takePicture(this.#map, viewOf(this.#map).metresPerPixel);
    } finally {
      if (plan && this.#tiles === plan) setTiles(this.#map, plan, this.#reducedMotion);
    }
  }

  /** The element around the map, for what lies over it. */
  frame(): HTMLElement {
    return this.#options.container.parentElement!;
  }

  /** The library's map, for tools that draw on it, once it accepts layers. */
  async whenReady(): Promise<MapLibreMap> {
    await this.#ready;
    return this.#map;
  }

  /** Requests all tiles again, after some failed. */
  retryTiles(): void {
    this.#loader.resetFailures();
    const source = this.#map.getSource<RasterTileSource>(tileSource);
    source?.setTiles(source.tiles);
  }

  /** Highlights a geometry; null removes the highlight. */
  mark(geometry: Geometry | null): void {
    this.#setData(overlays.mark, geometry ? [featureOf(geometry)] : []);
  }

  zoomTo(extent: Extent, padding: Padding): void {
    this.#fit(extent, { padding, maxZoom: 15 });
  }

  showWithSurroundings(extent: Extent, padding: Padding): void {
    const around = surroundings(extent);
    this.#fit(around ?? extent, { padding, maxZoom: around ? 14 : pointZoom });
  }

  /** Shows the extent of the whole map. */
  showExtent(): void {
    this.#fit(this.#options.extent, { padding: this.#options.padding, maxZoom: 16 });
  }

  jumpTo({ zoom, lat, lon }: { zoom: number; lat: number; lon: number }): void {
    this.#map.jumpTo({ zoom, center: [lon, lat] });
  }

  zoomBy(levels: number): void {
    this.#map.zoomTo(this.#map.getZoom() + levels, this.#animation());
  }

  showLocation(at: LonLat, accuracyMetres: number): void {
    const point = featureOf({ type: 'Point', coordinates: at });
    this.#setData(overlays.location, [point, featureOf(circleAround(at, accuracyMetres))]);
    this.#map.easeTo({ center: at, zoom: Math.max(this.#map.getZoom(), 13), ...this.#animation() });
  }

  /** Draws what is measured: a line or the area within it, and the points that the user has set. */
  drawMeasure(line: readonly LonLat[], points: readonly LonLat[], isArea: boolean): void {
    const outline: Geometry[] = line.length < 2 ? [] : [shapeOf(line, isArea)];
    const corners: Geometry[] = points.map((coordinates) => ({ type: 'Point', coordinates }));
    this.#setData(overlays.measure, [...outline, ...corners].map(featureOf));
  }

  /** Whether clicks on client-drawn layers show their popups. */
  setPopups(areShown: boolean): void {
    this.#hasPopups = areShown;
  }

  setLabel(label: string): void {
    this.#map.getCanvas().setAttribute('aria-label', label);
  }

  focus(): void {
    this.#map.getCanvas().focus();
  }

  destroy(): void {
    this.#map.remove();
  }

  #reportState(): void {
    const { onView, onDrawn, onTruncations } = this.#options;
    const reportView = (): void => onView(viewOf(this.#map));
    this.#map.on('move', reportView);
    reportView();
    this.#map.on('idle', () => {
      onDrawn(true);
      onTruncations(this.#truncations.inView(this.#map, this.#vectors));
    });
    for (const event of ['movestart', 'dataloading'] as const) this.#map.on(event, () => onDrawn(false));
  }

  #fit(extent: Extent | null, options: FitBoundsOptions): void {
    this.#map.fitBounds(visibleBounds(extent), { ...options, ...this.#animation() });
  }

  #animation(): { animate: boolean; duration: number } {
    return { animate: !this.#reducedMotion, duration: this.#reducedMotion ? 0 : moveMs };
  }

  #setData(source: string, features: Feature[]): void {
    void this.#ready.then(() =>
      this.#map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features }),
    );
  }
}

function createMap({ container, extent, padding }: MapViewOptions, reducedMotion: boolean): MapLibreMap {
  const map = new MapLibreMap({
    container,
    style: { version: 8, sources: {}, layers: [] },
    hash: true,
    bounds: visibleBounds(extent),
    fitBoundsOptions: { padding, maxZoom: 16 },
    minZoom: 0,
    maxZoom: 22,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: reducedMotion ? 0 : fadeMs,
    refreshExpiredTiles: false,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  // The tile loader reports failures. Without a listener MapLibre writes each of them to the console.
  map.on('error', () => {});
  return map;
}

const shapeOf = (line: readonly LonLat[], isArea: boolean): Geometry =>
  isArea ? { type: 'Polygon', coordinates: [[...line]] } : { type: 'LineString', coordinates: [...line] };

const featureOf = (geometry: Geometry): Feature => ({ type: 'Feature', properties: {}, geometry });

function setTiles(map: MapLibreMap, plan: TilePlan, reducedMotion: boolean): void {
  if (plan.hasBaseMap) addBaseMap(map);
  const tiles = [tileTemplate(plan)];
  const source = map.getSource<RasterTileSource>(tileSource);
  if (source) {
    source.setTiles(tiles);
    return;
  }
  map.addSource(tileSource, { type: 'raster', scheme: 'tms', tileSize: 256, maxzoom: 23, tiles });
  const paint = { 'raster-fade-duration': reducedMotion ? 0 : fadeMs };
  // Below client-drawn layers, which may exist already, and above the base map.
  const above = map.getStyle().layers.find(({ id }) => !isBaseMapLayer(id));
  map.addLayer({ id: tileLayer, type: 'raster', source: tileSource, paint }, above?.id);
}

function viewOf(map: MapLibreMap): ViewState {
  const zoom = map.getZoom();
  const latitude = (map.getCenter().lat * Math.PI) / 180;
  return { zoom, metresPerPixel: (equatorMetres * Math.cos(latitude)) / (512 * 2 ** zoom) };
}

/** The extent in view; all longitudes if it crosses the antimeridian. */
function extentInView(map: MapLibreMap): Extent {
  const bounds = map.getBounds();
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  const crosses = west < -180 || east > 180;
  return {
    sw: [Math.max(-90, bounds.getSouth()), crosses ? -180 : west],
    ne: [Math.min(90, bounds.getNorth()), crosses ? 180 : east],
  };
}

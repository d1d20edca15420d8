import 'maplibre-gl/dist/maplibre-gl.css';
import type { Feature, Geometry } from 'geojson';
import {
  type GeoJSONSource,
  Map as MapLibreMap,
  type MapMouseEvent,
  type RasterTileSource,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { shownBounds } from '../common/extent.js';
import type { Extent } from '../common/types.js';
import { circleAround, type LonLat } from './geometry.js';
import { drawCounts } from './icons.js';
import { addOverlays, overlays, tileLayer, tileSource } from './overlays.js';
import { loadTilesPatiently, type TilePlan, type TileProgress, tileTemplate } from './tiles.js';
import type { VectorLayer } from './vectorLayers.js';
import { hearVectors } from './vectorPointing.js';
import { setVectors, type VectorPlan } from './vectors.js';

// The worker is a file of our own, so that the page's policy needs no `blob:`.
setWorkerUrl(new URL(workerUrl, import.meta.url).href);

/** A place that was pointed at. */
export interface PointedPlace {
  at: LonLat;
  /** Half the width of the square in which objects are looked for, degrees of longitude and latitude. */
  reach: { lon: number; lat: number };
  zoom: number;
  byKeyboard: boolean;
}

export interface ViewState {
  /** Ground size of a CSS pixel in the middle of the map, metres. */
  metresPerPixel: number;
  zoom: number;
}

/** Pixels at the edges that panels cover. */
export interface Padding {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface MapViewOptions {
  container: HTMLElement;
  extent: Extent | null;
  padding: Padding;
  onPoint: (place: PointedPlace) => void;
  onView: (view: ViewState) => void;
  onTiles: (progress: TileProgress) => void;
  /** Whether all that the map shows has been drawn. */
  onDrawn: (isDrawn: boolean) => void;
}

/** The map as the page sees it. */
export interface MapView {
  setTiles(plan: TilePlan): void;
  setVectors(plan: VectorPlan): void;
  /** Draws the tiles again that failed. */
  retryTiles(): void;
  mark(geometry: Geometry | null): void;
  zoomTo(extent: Extent, padding: Padding): void;
  showExtent(): void;
  zoomBy(levels: number): void;
  showLocation(at: LonLat, accuracyMetres: number): void;
  setLabel(label: string): void;
  focus(): void;
  destroy(): void;
}

/** Circumference of the earth at the equator in Web Mercator, metres (2π · 6378137). */
const equator = 40_075_016.686;
const reachPixels = { fine: 5, coarse: 14 };

/** Makes the map. Throws when the browser has no WebGL 2. */
export function createMapView(options: MapViewOptions): MapView {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const forgetFailures = loadTilesPatiently(options.onTiles);
  const map = new MapLibreMap({
    container: options.container,
    style: { version: 8, sources: {}, layers: [] },
    hash: true,
    bounds: shownBounds(options.extent),
    fitBoundsOptions: { padding: options.padding, maxZoom: 16 },
    minZoom: 0,
    maxZoom: 22,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    attributionControl: false,
    fadeDuration: calm ? 0 : 200,
    refreshExpiredTiles: false,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.on('error', () => {}); // tiles tell of their failures themselves; without a listener MapLibre writes to the console

  const ready = new Promise<void>((resolve) => {
    map.once('style.load', () => {
      addOverlays(map, calm);
      resolve();
    });
  });
  let vectors: readonly VectorLayer[] = [];
  let drawing = new AbortController();
  hearPointing(map, options.onPoint);
  hearVectors(map, () => vectors);
  drawCounts(map);
  const tellView = (): void => options.onView(viewOf(map));
  map.on('move', tellView);
  tellView();
  map.on('idle', () => options.onDrawn(true));
  for (const event of ['movestart', 'dataloading'] as const) map.on(event, () => options.onDrawn(false));
  const move = { animate: !calm, duration: calm ? 0 : 500 };
  const setData = (source: string, ...features: Feature[]): void =>
    void ready.then(() =>
      map.getSource<GeoJSONSource>(source)?.setData({ type: 'FeatureCollection', features }),
    );

  return {
    setTiles(plan) {
      forgetFailures();
      void ready.then(() => setTiles(map, plan, calm));
    },
    setVectors(plan) {
      drawing.abort();
      drawing = new AbortController();
      const { signal } = drawing;
      vectors = plan.layers;
      void ready.then(() => setVectors(map, plan, signal));
    },
    retryTiles() {
      forgetFailures();
      const source = map.getSource<RasterTileSource>(tileSource);
      source?.setTiles(source.tiles);
    },
    mark: (geometry) => setData(overlays.mark, ...(geometry ? [featureOf(geometry)] : [])),
    zoomTo: (extent, padding) => map.fitBounds(shownBounds(extent), { padding, maxZoom: 15, ...move }),
    showExtent: () =>
      map.fitBounds(shownBounds(options.extent), { padding: options.padding, maxZoom: 16, ...move }),
    zoomBy: (levels) => map.zoomTo(map.getZoom() + levels, move),
    showLocation(at, accuracyMetres) {
      setData(
        overlays.location,
        featureOf({ type: 'Point', coordinates: at }),
        featureOf(circleAround(at, accuracyMetres)),
      );
      map.easeTo({ center: at, zoom: Math.max(map.getZoom(), 13), ...move });
    },
    setLabel: (label) => map.getCanvas().setAttribute('aria-label', label),
    focus: () => map.getCanvas().focus(),
    destroy: () => map.remove(),
  };
}

const featureOf = (geometry: Geometry): Feature => ({ type: 'Feature', properties: {}, geometry });

function setTiles(map: MapLibreMap, plan: TilePlan, calm: boolean): void {
  const tiles = [tileTemplate(plan)];
  const source = map.getSource<RasterTileSource>(tileSource);
  if (source) {
    source.setTiles(tiles);
    return;
  }
  map.addSource(tileSource, { type: 'raster', scheme: 'tms', tileSize: 256, maxzoom: 23, tiles });
  const paint = { 'raster-fade-duration': calm ? 0 : 200 };
  // Under the layers that this page draws itself, which may be there already.
  const [lowest] = map.getStyle().layers;
  map.addLayer({ id: tileLayer, type: 'raster', source: tileSource, paint }, lowest?.id);
}

function viewOf(map: MapLibreMap): ViewState {
  const zoom = map.getZoom();
  const latitude = (map.getCenter().lat * Math.PI) / 180;
  return { zoom, metresPerPixel: (equator * Math.cos(latitude)) / (512 * 2 ** zoom) };
}

/** Tells of clicks and taps, and of Enter for the middle of the map. */
function hearPointing(map: MapLibreMap, onPoint: (place: PointedPlace) => void): void {
  map.on('click', (event: MapMouseEvent) => {
    const isTouch = (event.originalEvent as PointerEvent).pointerType === 'touch';
    const { x, y } = event.point;
    onPoint(
      placeAt(map, { x, y, pixels: isTouch ? reachPixels.coarse : reachPixels.fine, byKeyboard: false }),
    );
  });
  map.getCanvas().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const { clientWidth, clientHeight } = map.getCanvas();
    onPoint(
      placeAt(map, { x: clientWidth / 2, y: clientHeight / 2, pixels: reachPixels.fine, byKeyboard: true }),
    );
  });
}

interface PixelPlace {
  x: number;
  y: number;
  pixels: number;
  byKeyboard: boolean;
}

function placeAt(map: MapLibreMap, { x, y, pixels, byKeyboard }: PixelPlace): PointedPlace {
  const middle = map.unproject([x, y]);
  const corner = map.unproject([x + pixels, y - pixels]);
  const at: LonLat = [middle.wrap().lng, middle.lat];
  const reach = { lon: Math.abs(corner.lng - middle.lng), lat: Math.abs(corner.lat - middle.lat) };
  return { at, reach, zoom: map.getZoom(), byKeyboard };
}

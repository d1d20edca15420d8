import type { Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import type { PointedPlace } from '../types.js';
import type { LonLat } from './geometry.js';
import { vectorObjectsAt } from './vectorHits.js';
import type { VectorLayer } from './vectorLayers.js';

/** Search radius around the pointer in CSS pixels. */
const pointerRadiusPx = { mouse: 4, touch: 12 };

interface ScreenPlace {
  x: number;
  y: number;
  radiusPx: number;
  byKeyboard: boolean;
}

/** Reports clicks and taps, and the centre of the map when Enter is pressed. */
export function handlePointing(
  map: MapLibreMap,
  onPoint: (place: PointedPlace) => void,
  vectorsNow: () => readonly VectorLayer[],
): void {
  const placeAt = ({ x, y, radiusPx, byKeyboard }: ScreenPlace): PointedPlace => {
    const position = map.unproject([x, y]);
    // MapLibre requests tiles of the nearest level. Its levels count tiles of 512 pixels, one less than the service's.
    const z = Math.min(23, Math.max(0, Math.round(map.getZoom() + 1)));
    const tolerancePx = Math.min(32, Math.max(1, Math.round(radiusPx * 2 ** (z - 1 - map.getZoom()))));
    const at: LonLat = [position.wrap().lng, Math.min(85.05, Math.max(-85.05, position.lat))];
    const vectorObjects = vectorObjectsAt(map, { x, y, pixels: radiusPx }, vectorsNow());
    return { at, z, tolerancePx, vectorObjects, byKeyboard };
  };
  map.on('click', (event: MapMouseEvent) => {
    const isTouch = (event.originalEvent as PointerEvent).pointerType === 'touch';
    const { x, y } = event.point;
    const radiusPx = isTouch ? pointerRadiusPx.touch : pointerRadiusPx.mouse;
    onPoint(placeAt({ x, y, radiusPx, byKeyboard: false }));
  });
  map.getCanvas().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const { clientWidth, clientHeight } = map.getCanvas();
    const centre = { x: clientWidth / 2, y: clientHeight / 2 };
    onPoint(placeAt({ ...centre, radiusPx: pointerRadiusPx.mouse, byKeyboard: true }));
  });
}

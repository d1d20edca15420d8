import type { Geometry } from 'geojson';
import type { MapView } from '../../../viewer/map/mapView.js';
import { nearestTo } from './antimeridian.js';
import { shapesOf } from './shapes.js';

/** Room for the controls of the map, pixels. */
const padding = { left: 48, top: 48, right: 96, bottom: 56 };

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The box of positions, in the world that is nearest to a longitude. */
function boxOf(line: readonly (readonly number[])[], center: number): Box {
  const [lngs, lats] = [line.map(([lng]) => nearestTo(lng!, center)), line.map(([, lat]) => lat!)];
  return {
    west: Math.min(...lngs),
    south: Math.min(...lats),
    east: Math.max(...lngs),
    north: Math.max(...lats),
  };
}

/** Moves the map to a geometry of which it shows nothing. */
export async function bringIntoView(view: MapView, geometry: Geometry | null): Promise<void> {
  const shapes = shapesOf(geometry) ?? [];
  const [first] = shapes;
  if (!first) return;
  const map = await view.whenReady();
  const bounds = map.getBounds();
  const isInView = shapes.some(({ line }) => {
    const { west, south, east, north } = boxOf(line, map.getCenter().lng);
    return (
      west <= bounds.getEast() &&
      east >= bounds.getWest() &&
      south <= bounds.getNorth() &&
      north >= bounds.getSouth()
    );
  });
  if (isInView) return;
  const { west, south, east, north } = boxOf(
    shapes.flatMap(({ line }) => line),
    first.line[0]![0]!,
  );
  view.zoomTo({ sw: [south, west], ne: [north, east] }, padding);
}

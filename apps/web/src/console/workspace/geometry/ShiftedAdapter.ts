import type { Position } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { GeoJSONStoreFeatures, TerraDrawChanges, TerraDrawStylingFunction } from 'terra-draw';
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter';
import { nearestTo } from './antimeridian.js';

/**
 * Puts the drawing tools on a map. They know longitudes from -180 to 180 degrees alone: those that they get count from
 * `origin`, so that a shape across the antimeridian is drawn in one piece.
 */
export class ShiftedAdapter extends TerraDrawMapLibreGLAdapter<MapLibreMap> {
  readonly #map: MapLibreMap;
  origin: 0 | 180 = 0;

  constructor(map: MapLibreMap, coordinatePrecision: number) {
    super({ map, coordinatePrecision });
    this.#map = map;
  }

  /** The map shows the same place several times: that which is nearest to its centre counts. */
  override project(lng: number, lat: number): { x: number; y: number } {
    return super.project(nearestTo(lng + this.origin, this.#map.getCenter().lng), lat);
  }

  override unproject(x: number, y: number): { lng: number; lat: number } {
    const { lng, lat } = super.unproject(x, y);
    return { lng: nearestTo(lng, this.origin) - this.origin, lat };
  }

  override render(changes: TerraDrawChanges, styling: TerraDrawStylingFunction): void {
    const { created, updated, unchanged, deletedIds } = changes;
    const moved = (features: GeoJSONStoreFeatures[]): GeoJSONStoreFeatures[] =>
      features.map((one) => movedEast(one, this.origin));
    super.render(
      this.origin === 0
        ? changes
        : { created: moved(created), updated: moved(updated), unchanged: moved(unchanged), deletedIds },
      styling,
    );
  }
}

function movedEast(feature: GeoJSONStoreFeatures, degrees: number): GeoJSONStoreFeatures {
  const { geometry } = feature;
  const move = (position: Position): Position => [position[0]! + degrees, position[1]!];
  if (geometry.type === 'Point')
    return { ...feature, geometry: { ...geometry, coordinates: move(geometry.coordinates) } };
  if (geometry.type === 'LineString')
    return { ...feature, geometry: { ...geometry, coordinates: geometry.coordinates.map(move) } };
  const rings = geometry.coordinates.map((ring) => ring.map(move));
  return { ...feature, geometry: { ...geometry, coordinates: rings } };
}

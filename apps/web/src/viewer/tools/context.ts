import type { PublishedMap } from '../../common/types.js';
import type { MapView } from '../map/mapView.js';
import type { MapAddress, PointedPlace } from '../types.js';

/** What a tool works with. */
export interface ToolContext {
  map: PublishedMap;
  address: MapAddress;
  view: MapView | null;
  language: string;
  /** Passes the places that the user points at to the tool instead of looking for objects there; null ends this. */
  takePlaces: (taker: PlaceTaker | null) => void;
}

export type PlaceTaker = (place: PointedPlace) => void;

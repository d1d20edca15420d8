import type { PublishedMap } from '../../common/types.js';
import type { FilterState } from '../filters/useFilters.js';
import type { MapView } from '../map/mapView.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress, ObjectKey, PointedPlace } from '../types.js';

/** What a tool works with. */
export interface ToolContext {
  map: PublishedMap;
  address: MapAddress;
  view: MapView | null;
  language: string;
  /** Visible layers, topmost first. */
  layers: readonly TreeItem[];
  filters: FilterState;
  openObject: (object: ObjectKey) => void;
  /** Passes the places that the user points at to the tool instead of looking for objects there; null ends this. */
  takePlaces: (taker: PlaceTaker | null) => void;
}

export type PlaceTaker = (place: PointedPlace) => void;

import type { MapView } from '../../../viewer/map/mapView.js';
import type { PointedPlace } from '../../../viewer/types.js';
import type { Changes } from '../useChanges.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import type { TableSort } from './rows/source.js';

/** What the table knows of the workspace. */
export interface TableContext {
  workspace: Workspace;
  item: WorkspaceItem;
  view: MapView | null;
  /** The place on the map that was clicked last. */
  pointed: PointedPlace | null;
  changes: Changes;
  /** Called after objects were changed: the map is drawn anew. */
  onStored: () => void;
  /** Version of the stored objects; null until it is known. */
  dataVersion: number | null;
  sort: TableSort | null;
  onSort: (sort: TableSort | null) => void;
  /** CQL2-JSON; null: all objects. */
  filter: object | null;
  onFilter: (filter: object | null) => void;
}

/** A map as `pages/maps.json` lists it. */
export interface PublishedMap {
  project: string;
  project_name: string;
  code: string;
  /** In the main language. */
  name: string;
  /** Language code → name; empty if the map has one name for all. */
  names: Record<string, string>;
  /** Language codes, the main one first. */
  languages: string[];
  /** Whether the map may be viewed without signing in. */
  is_public: boolean;
  /** Number of layers that the user may view. */
  layers: number;
  /** 1: shown as a single layer. */
  group_layers: number;
  /** Credits of the data, as plain text. */
  attribution: string;
  /** Whether the map page shows its base map below the map. */
  ground: boolean;
  extent: Extent | null;
}

/** Corners as [latitude, longitude] in degrees. */
export interface Extent {
  sw: [number, number];
  ne: [number, number];
}

/** A published map as `pages/maps.json` lists it. */
export interface PublishedMap {
  project: string;
  project_name: string;
  code: string;
  name: string;
  /** Language codes; the first is the main one. */
  languages: string[];
  /** How many layers the public may view. */
  layers: number;
  /** 1: shown as a single layer. */
  group_layers: number;
  /** Who made the data, as plain text. */
  attribution: string;
  extent: Extent | null;
}

/** Corners as [latitude, longitude] in degrees. */
export interface Extent {
  sw: [number, number];
  ne: [number, number];
}

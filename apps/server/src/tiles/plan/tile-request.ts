import type { Plane } from './sql/plane.js';

/** A checked request for a raster tile; `y` counts rows from the north. */
export interface TileRequest {
  z: number;
  x: number;
  y: number;
  base: boolean;
  /** Ids of layers or items in drawing order; undefined: the selected layers of the publication tree. */
  layers: readonly number[] | undefined;
  /** Pixels of the picture per pixel of the style. */
  scale: number;
  /** Level of the small features from which a picture between two levels is drawn; absent: that of its pixels. */
  spriteLevel?: number | undefined;
  /** Whether a picture with sprites shows what lies beyond the world of EPSG:3857, which no chunk has. */
  isBeyondWorld?: boolean | undefined;
  /** Whether the pixels of a picture are not those of tiles of a zoom level. */
  isOffGrid?: boolean | undefined;
  /** undefined: the folders of the layers decide. */
  palette: boolean | undefined;
  /** CQL2; absent: all objects are drawn. */
  filter?: string | undefined;
  /** A colour behind the picture, where the map has none; absent: transparent. false: no colour, not even that of the map. */
  paper?: string | false | undefined;
  /** The plane of a picture in another reference system; absent: EPSG:3857. */
  plane?: Plane | undefined;
  lng: string;
  main: string;
}

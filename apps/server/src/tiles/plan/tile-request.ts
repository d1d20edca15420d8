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
  /** undefined: the folders of the layers decide. */
  palette: boolean | undefined;
  lng: string;
  main: string;
}

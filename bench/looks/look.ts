import type { DataSet } from './data/data-set.js';

/** The other servers that draw the looks. */
export const peerNames = ['MapServer', 'QGIS Server'] as const;
export type PeerName = (typeof peerNames)[number];

/** A map: its data with one look, expressed in the language of each server. */
export interface Look {
  /** Name for `--looks`, and code of the map. */
  code: string;
  what: string;
  /** From the bottom of the map to its top. */
  layers: readonly LookLayer[];
  /** Why a peer cannot draw it. */
  impossible?: Partial<Record<PeerName, string>>;
}

export interface LookLayer {
  /** Unique in its map. */
  code: string;
  data: DataSet;
  /** Declarations and blocks of CartoCSS. */
  style: string;
  /** A whole style sheet, instead of `style`. */
  sheet?: string;
  /** Fields of the layer that replace its style: `visualSettings`, `visualCustomSettings`. */
  visual?: Readonly<Record<string, unknown>>;
  /** Layers of a MAP file, from the bottom to the top. */
  mapServer: readonly MapServerLayer[];
  /** A layer of a QGIS project; absent: drawn with another one. */
  qgis?: QgisLayer;
}

/** First and last zoom level. */
export type Zooms = readonly [from: number, to: number];

export interface MapServerLayer {
  /** Condition of SQL over the columns of the data set. */
  where?: string;
  zooms?: Zooms;
  /** The part of a LAYER below its source: classes. */
  text: string;
  /** The text draws the density of the points. */
  density?: true;
}

export interface QgisLayer {
  /** `<renderer-v2>`. */
  renderer: string;
  /** `<labeling>`. */
  labels?: string;
}

/** The content of a feature sheet, as the thread that makes the PDF receives it. */
export interface SheetContent {
  title: string;
  /** Names of the map and the layer. */
  map: string;
  layer: string;
  lng: string;
  /** Whether the language, and with it the whole page, runs from right to left. */
  isRtl: boolean;
  date: string;
  sections: Section[];
  place: MapPlace | undefined;
  pictures: SheetPicture[];
}

/** Fields under a heading; null: fields without a title. */
export interface Section {
  heading: string | null;
  rows: { label: string; value: string }[];
}

/** The map around the object. */
export interface MapPlace {
  /** PNG. */
  picture: Uint8Array;
  /** Height as a share of the width. */
  ratio: number;
  isLandscape: boolean;
  /** The scale bar: its length as a share of the picture's width, and its label. */
  bar: { part: number; label: string };
  /** Coordinates of the centre. */
  centre: string;
}

/** A picture of the object. */
export interface SheetPicture {
  name: string;
  /** JPEG. */
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

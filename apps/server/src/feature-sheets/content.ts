/** What stands on a card, ready to be set: it is handed to the thread that makes the PDF. */
export interface CardContent {
  title: string;
  /** The names of map and layer. */
  map: string;
  layer: string;
  lng: string;
  /** Of the language: the whole card runs from right to left then. */
  isRtl: boolean;
  date: string;
  sections: Section[];
  place: Place | undefined;
  pictures: CardPicture[];
}

/** Fields under a heading; null: those that no title groups. */
export interface Section {
  heading: string | null;
  rows: { label: string; value: string }[];
}

/** The map around the object. */
export interface Place {
  /** PNG. */
  picture: Uint8Array;
  /** Height in parts of the width. */
  ratio: number;
  isLandscape: boolean;
  /** The scale bar: its length in parts of the picture's width, and what it says. */
  bar: { part: number; label: string };
  /** Coordinates of the centre. */
  centre: string;
}

/** A picture of the object. */
export interface CardPicture {
  name: string;
  /** JPEG. */
  bytes: Uint8Array;
  /** Pixels. */
  width: number;
  height: number;
}

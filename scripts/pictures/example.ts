/** A row of a table in the guide: a setting, what it does, and a picture of it. */
export interface Example {
  /** Name of the file; unique within its table. */
  name: string;
  /** The setting as it is written, in the guide too. CartoCSS: declarations and blocks within `#layer { … }`. */
  setting: string;
  /** What it does: unit, range, default. */
  text: string;
  /** The layer that is shown. */
  layer: 'parks' | 'roads' | 'places' | 'crowd' | 'photo';
  /** Other settings of the example, which make the setting visible. */
  beside?: object | string;
  /** A layer below the example in unobtrusive colours. */
  below?: 'parks' | 'roads';
}

/** The rows of a page of the guide, and how a setting becomes the body of a request. */
export interface Table {
  /** Of the folder of its pictures, and of its place in the page. */
  name: string;
  /** Below docs/guide. */
  page: string;
  /** Words of the first column. */
  heading: string;
  body(example: Example): object;
  /** Whether the map page draws it. */
  isByClient?: boolean;
  examples: readonly Example[];
}

/** What we use of `@mapnik/mapnik`, which has no types of its own. */

export interface MapnikImage {
  encode(format: string, done: (error: Error | null, bytes: Buffer) => void): void;
  view(x: number, y: number, width: number, height: number): MapnikImage;
  /** The pixels (RGBA) without a copy; valid as long as the image. */
  buffer(): Buffer;
  /** A copy of the pixels. */
  data(): Buffer;
  /** Makes all pixels transparent. */
  clearSync(): void;
  premultiplySync(): void;
  demultiplySync(): void;
  composite(
    image: MapnikImage,
    options: { comp_op: number },
    done: (error: Error | null, image: MapnikImage) => void,
  ): void;
}

export interface MapnikMap {
  /** West, south, east, north in the projection of the map. */
  extent: number[];
  /** Pixels around the picture from which objects are read. */
  bufferSize: number;
  /** Opacity up to 255. */
  background: { a: number } | undefined;
  resize(width: number, height: number): void;
  fromStringSync(xml: string, options: { strict: boolean }): void;
  render(
    image: MapnikImage,
    /** `buffer_size`: pixels around the picture in which symbols keep off each other, 0 by default. */
    options: { scale: number; scale_denominator?: number; buffer_size?: number },
    done: (error: Error | null, image: MapnikImage) => void,
  ): void;
}

/** Iterates over the features of a source. */
export interface MapnikFeatures {
  next(): { attributes(): Record<string, unknown> } | null;
}

export interface MapnikDatasource {
  featureset(options: { extent: number[] }): MapnikFeatures | undefined;
}

export interface Mapnik {
  Map: new (width: number, height: number) => MapnikMap;
  Image: {
    new (width: number, height: number): MapnikImage;
    fromBufferSync(
      width: number,
      height: number,
      pixels: Buffer,
      options: { premultiplied: boolean },
    ): MapnikImage;
  };
  Datasource: new (parameters: Record<string, string | number | boolean>) => MapnikDatasource;
  compositeOp: { src_over: number };
  Logger: { setSeverity(level: number): void; NONE: number };
  settings: { paths: { input_plugins: string } };
  register_default_fonts(): void;
  /** Returns whether the file is a font. */
  register_fonts(file: string): boolean;
  /** Names of all registered fonts. */
  fonts(): string[];
  /** Font files by font name. */
  fontFiles(): Record<string, string>;
  registerDatasource(path: string): void;
}

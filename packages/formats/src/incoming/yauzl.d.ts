/** The used part of yauzl 3, which has no types. */
declare module 'yauzl' {
  export interface Entry {
    /** Bytes, since the option `decodeStrings` is off. */
    fileName: Buffer;
    generalPurposeBitFlag: number;
    externalFileAttributes: number;
    /** 0 stored, 8 deflated. */
    compressionMethod: number;
    crc32: number;
    compressedSize: number;
    uncompressedSize: number;
  }

  export interface ZipFile {
    entryCount: number;
    readEntry(): void;
    /** Offset of the first compressed byte; the compressed data lie within the archive. */
    readLocalFileHeader(
      entry: Entry,
      options: { minimal: true },
      callback: (error: Error | null, head: { fileDataStart: number }) => void,
    ): void;
    close(): void;
    on(event: 'entry', listener: (entry: Entry) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }

  export function open(
    path: string,
    options: { lazyEntries: boolean; decodeStrings: boolean; autoClose: boolean },
    callback: (error: Error | null, zip: ZipFile) => void,
  ): void;
}

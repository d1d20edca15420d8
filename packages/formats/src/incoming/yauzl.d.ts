/** What is used of yauzl 3, which comes without types. */
declare module 'yauzl' {
  export interface Entry {
    /** Bytes, as the option `decodeStrings` is off. */
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
    /** Where what is packed begins; all of it lies within the archive. */
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

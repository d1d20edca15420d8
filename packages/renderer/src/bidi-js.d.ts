declare module 'bidi-js' {
  /** The used part of the Unicode Bidirectional Algorithm (UAX 9). */
  interface Bidi {
    getEmbeddingLevels(
      text: string,
      direction?: 'ltr' | 'rtl' | 'auto',
    ): { levels: Uint8Array; paragraphs: { start: number; end: number; level: number }[] };
    /** The mirrored form of a bracket or sign; null where it has none. */
    getMirroredCharacter(character: string): string | null;
  }
  export default function makeBidi(): Bidi;
}

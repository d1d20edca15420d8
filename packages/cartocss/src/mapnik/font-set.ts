import { sha256 } from './hash.js';

/** Font faces in order of preference: Mapnik takes a glyph from the first face that has it. */
export interface FontSet {
  readonly name: string;
  readonly faces: readonly string[];
}

/** Derives the name from the faces, so that layers share equal sets. */
export const makeFontSet = (faces: readonly string[]): FontSet => ({
  name: `fonts-${sha256(faces.join('\n')).slice(0, 12)}`,
  faces,
});

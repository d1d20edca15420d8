import iconv from 'iconv-lite';
import { BeyondEnd, type ByteCursor, cursorOver, untilZero } from './cursor.js';

/** Names from a classifier (.rsc), which many maps share. */
export interface Classifier {
  /** By code and kind: `51100000 0`. */
  objects: Record<string, { name: string; layer: number }>;
  /** By code. */
  semantics: Record<number, string>;
  layers: Record<number, string>;
}

/** Positions in the header of the offset, length and number of rows of each table. */
const tables = { objects: 120, semantics: 132, layers: 180 } as const;
const headSize = 328;
/** Size of a row of semantics, bytes. */
const semanticSize = 84;

/**
 * Reads names of objects, of their characteristics and of layers. Unreadable names are omitted, since codes then serve
 * as names.
 */
export function readClassifier(file: Buffer): Classifier | undefined {
  if (file.length < headSize || file.toString('latin1', 0, 3) !== 'RSC') return undefined;
  const encoding = file.readUInt32LE(320) === 125 ? 'koi8-r' : 'windows-1251';
  const text = (at: ByteCursor, size: number): string => untilZero(iconv.decode(at.bytes(size), encoding));
  const classifier: Classifier = { objects: {}, semantics: {}, layers: {} };
  rowsOf(file, tables.objects, undefined, (at) => {
    at.skip(4);
    const code = at.u32();
    at.skip(8 + 32);
    const name = text(at, 32);
    const [kind, layer] = [at.u8(), at.u8()];
    // Further rows with this code describe other ways to draw the same object.
    if (name) classifier.objects[`${code} ${kind}`] ??= { name, layer };
  });
  rowsOf(file, tables.semantics, semanticSize, (at) => {
    const code = at.u32();
    at.skip(4);
    const name = text(at, 32);
    if (name) classifier.semantics[code] = name;
  });
  rowsOf(file, tables.layers, undefined, (at) => {
    at.skip(4);
    const name = text(at, 32);
    at.skip(16);
    if (name) classifier.layers[at.u8()] = name;
  });
  return classifier;
}

/** The rows of a table, whose size is fixed or stands at the start of each row. */
function rowsOf(file: Buffer, table: number, size: number | undefined, use: (at: ByteCursor) => void): void {
  let place = file.readUInt32LE(table);
  const count = file.readUInt32LE(table + 8);
  try {
    for (let i = 0; i < count; i++) {
      const length = size ?? cursorOver(file, place).u32();
      if (length < 4) return;
      use(cursorOver(file, place));
      place += length;
    }
  } catch (error) {
    if (!(error instanceof BeyondEnd)) throw error;
  }
}

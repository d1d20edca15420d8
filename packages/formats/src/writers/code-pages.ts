import type { ObjectRow } from '@cartulary/columns';
import { readStream } from '@cartulary/runtime';
import { encodable } from '../encodings/encodings.js';
import { limitedFile } from './limited-file.js';

/** Code pages that MapInfo supports, by number: the most common ones first, those of East Asia last. */
const numbers: Readonly<Record<string, number>> = {
  'windows-1252': 1252,
  'windows-1251': 1251,
  'windows-1250': 1250,
  'windows-1254': 1254,
  'windows-1257': 1257,
  'windows-1253': 1253,
  'windows-1255': 1255,
  'windows-1256': 1256,
  gbk: 936,
  shift_jis: 932,
  'euc-kr': 949,
  big5: 950,
};

export const pages = Object.keys(numbers);

/** GDAL's name of an encoding. */
export const codePage = (encoding: string): string =>
  numbers[encoding] ? `CP${numbers[encoding]}` : encoding.replace(/^windows-/, 'CP').toUpperCase();

/** Finds the code page that represents most of the texts. */
export interface PageFinder {
  look(text: string): void;
  best(): string;
}

export function createCodePageFinder(): PageFinder {
  /** The pages that lack a character, one bit each. */
  const lacking = new Map<string, number>();
  const lost = pages.map(() => 0);
  const lackingOf = (character: string): number =>
    pages.reduce((bits, page, i) => (encodable(character, page).isWhole ? bits : bits | (1 << i)), 0);
  return {
    look(text) {
      let bits = 0;
      for (const character of text) {
        if (character < '\x80') continue;
        const known = lacking.get(character) ?? lackingOf(character);
        lacking.set(character, known);
        bits |= known;
      }
      for (let i = 0; bits >> i; i++) lost[i]! += (bits >> i) & 1;
    },
    best: () => pages[lost.indexOf(Math.min(...lost))]!,
  };
}

/** Writes rows to a temporary file, from which they are read again. */
export async function spool(
  rows: AsyncIterable<ObjectRow[]>,
  { path, limit, seen }: { path: string; limit: number; seen(row: ObjectRow): void },
): Promise<() => AsyncGenerator<ObjectRow[]>> {
  const file = limitedFile(path, limit);
  try {
    // A layer without objects also gets a file.
    await file.write(Buffer.from('[]\n'));
    for await (const slice of rows) {
      slice.forEach(seen);
      await file.write(Buffer.from(`${JSON.stringify(slice)}\n`));
    }
    await file.end();
  } finally {
    file.close();
  }
  return () => spooled(path);
}

async function* spooled(path: string): AsyncGenerator<ObjectRow[]> {
  let rest = '';
  for await (const chunk of readStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
}

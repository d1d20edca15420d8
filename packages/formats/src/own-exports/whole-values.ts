import { type OpenFile, openFile } from '../readers/open-file.js';
import { ownRecords } from './own-archive.js';

/** A value, and the form in which the export format holds it. */
export interface WholeValue {
  code: string;
  whole: string | null;
  written: string;
}

/** The values that an export format changes, by object id. They stay in their file and are read on demand. */
export interface WholeValues {
  of(id: number): WholeValue[];
  close(): void;
}

const portion = 1024 * 1024;
const [quote, lineFeed, zero, nine] = [0x22, 0x0a, 0x30, 0x39];

export function openWholeValues(path: string): WholeValues {
  const file = openFile(path);
  const places = placesIn(file);
  return {
    of(id) {
      return (places.get(id) ?? []).flatMap(([start, end]) => {
        return ownRecords(file.read(start, end - start).toString()).map(([, code, whole, written]) => ({
          code: code ?? '',
          whole: whole ?? null,
          written: written ?? '',
        }));
      });
    },
    close: file.close,
  };
}

/** Positions of the records of each object; adjacent records are one range. */
function placesIn(file: OpenFile): Map<number, [start: number, end: number][]> {
  const places = new Map<number, [number, number][]>();
  let [start, id, isQuoted, isInId] = [0, -1, false, true];
  let last: { id: number; place: [number, number] } | undefined;
  const end = (at: number): void => {
    if (last?.id === id) last.place[1] = at;
    else if (id >= 0) {
      last = { id, place: [start, at] };
      const known = places.get(id);
      if (known) known.push(last.place);
      else places.set(id, [last.place]);
    }
    [start, id, isInId] = [at, -1, true];
  };
  let size = 0;
  for (;;) {
    const bytes = file.read(size, portion);
    if (!bytes.length) break;
    for (const [i, byte] of bytes.entries()) {
      if (byte === quote) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) end(size + i + 1);
      else if (isInId && byte >= zero && byte <= nine) id = 10 * Math.max(id, 0) + byte - zero;
      else isInId = false;
    }
    size += bytes.length;
  }
  if (id >= 0) end(size);
  return places;
}

import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import type { FeatureReader, RawFeature } from '../raw-feature.js';
import type { Classifier } from './classifier.js';
import { headSizeOf, type Passport, passportHeadBytes, readPassport } from './passport.js';
import { readRecord, recordHead, recordMark } from './record.js';

export interface SxfOptions {
  /** Number of its first feature. */
  first: number;
  /** Maximum size of an object, bytes. */
  featureLimit: number;
  /** Encoding of the texts, if given. */
  encoding: string | undefined;
  classifier: Classifier | undefined;
  found(encoding: string): void;
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/**
 * Reads SXF 3 and 4 (binary) as a stream. Throws `import_failed` if the file is damaged or cut off, or if its projection
 * is unknown and none is given.
 */
export function createSxfReader({ first, featureLimit, ...rules }: SxfOptions): FeatureReader {
  const bytes = createQueue();
  let passport: Passport | undefined;
  let done = 0;

  function* objects(): Generator<RawFeature> {
    if (!passport) {
      const start = bytes.peek(passportHeadBytes);
      const head = start && bytes.take(headSizeOf(start));
      if (!head) return;
      passport = readPassport(head);
    }
    while (done < passport.count) {
      const record = nextRecord(done + 1);
      if (!record) return;
      const number = first + done++;
      const { geometry, properties, error } = readRecord(record, { ...rules, passport });
      yield { number, id: undefined, geometry, properties, ...(error ? { error } : {}) };
    }
    bytes.clear();
  }

  function nextRecord(number: number): Buffer | undefined {
    const head = bytes.peek(recordHead);
    if (!head) return undefined;
    const length = head.readUInt32LE(4);
    const metric = head.readUInt32LE(8);
    const isRecord = head.readUInt32LE(0) === recordMark && length >= recordHead + metric;
    if (!isRecord)
      throw failed(`The SXF is damaged at byte ${bytes.place()}: object ${number} should be there`);
    if (length > featureLimit)
      throw new ServiceError('too_large', `Object ${number} is larger than ${featureLimit} bytes`);
    return bytes.take(length);
  }

  return {
    push(chunk) {
      bytes.add(chunk);
      return [...objects()];
    },
    end() {
      if (!passport) throw failed('The SXF is cut off within its passport');
      if (done < passport.count) {
        throw failed(
          `The SXF should have ${passport.count} objects, but ${done} could be read: it is cut off or damaged`,
        );
      }
      return [];
    },
    srs() {
      if (!passport) return wgs84;
      if (passport.srs !== undefined) return passport.srs;
      throw failed(noteOf('sxfWithoutProjection'));
    },
  };
}

interface Queue {
  add(chunk: Buffer): void;
  /** The next bytes; undefined if they have not arrived yet. */
  peek(count: number): Buffer | undefined;
  take(count: number): Buffer | undefined;
  clear(): void;
  /** Offset of the next byte in the file. */
  place(): number;
}

/** Bytes of an incomplete object, kept until the remaining bytes arrive. */
function createQueue(): Queue {
  let chunks: Buffer[] = [];
  let size = 0;
  let place = 0;
  const peek = (count: number): Buffer | undefined => {
    if (size < count) return undefined;
    if (chunks[0]!.length < count) chunks = [Buffer.concat(chunks)];
    return chunks[0]!.subarray(0, count);
  };
  return {
    add(chunk) {
      if (chunk.length) chunks.push(chunk);
      size += chunk.length;
    },
    peek,
    take(count) {
      const bytes = peek(count);
      if (!bytes) return undefined;
      chunks[0] = chunks[0]!.subarray(count);
      if (!chunks[0].length) chunks.shift();
      size -= count;
      place += count;
      return bytes;
    },
    clear() {
      place += size;
      chunks = [];
      size = 0;
    },
    place: () => place,
  };
}

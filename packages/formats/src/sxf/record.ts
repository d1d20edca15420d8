import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry } from 'geojson';
import iconv from 'iconv-lite';
import type { Classifier } from './classifier.js';
import { cursorOver } from './cursor.js';
import { type MetricForm, type ObjectKind, readMetric } from './metric.js';
import type { Passport } from './passport.js';
import { readSemantics, type Semantic } from './semantics.js';

/** Size of a record's header in bytes, and the number with which it begins. */
export const recordHead = 32;
export const recordMark = 0x7fff7fff;

export interface SxfObject {
  geometry: Geometry | null;
  properties: Record<string, unknown>;
  error?: ServiceError;
}

const kinds: readonly ObjectKind[] = ['line', 'polygon', 'point', 'label', 'vector', 'template'];

export interface RecordRules {
  passport: Passport;
  classifier: Classifier | undefined;
  /** Encoding of the texts, if given. */
  encoding: string | undefined;
  found(encoding: string): void;
}

/** Reads an object. Errors of the object go into its `error`. */
export function readRecord(bytes: Buffer, rules: RecordRules): SxfObject {
  const at = cursorOver(bytes, 8);
  const metricSize = at.u32();
  const code = at.u32();
  const key = at.u32();
  const flags = [at.u8(), at.u8(), at.u8()] as const;
  at.skip(1);
  const wideCount = at.u32();
  const parts = at.u16();
  const points = at.u16();
  const kind = kinds[flags[0] & 15];
  const properties: Record<string, unknown> = { class_code: code };
  try {
    if (!kind) throw new ServiceError('value_invalid', noteOf('sxfKind', { kind: flags[0] & 15 }));
    const known = rules.classifier?.objects[`${code} ${flags[0] & 15}`];
    if (known) properties.class_name = known.name;
    const layer = known && rules.classifier?.layers[known.layer];
    if (layer) properties.layer = layer;
    Object.assign(properties, { kind, key });
    const form = formOf({ kind, flags, parts, points, wideCount }, rules);
    const metric = readMetric(
      cursorOver(bytes.subarray(0, recordHead + metricSize), recordHead),
      form,
      rules.passport,
    );
    if (metric.text !== undefined) properties.text = metric.text;
    const semantics = cursorOver(bytes, recordHead + metricSize);
    // Whether the object has values; otherwise the bytes after its metric are no semantics.
    if (flags[1] & 2) addSemantics(properties, readSemantics(semantics, rules.encoding), rules.classifier);
    return { geometry: metric.geometry, properties };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { geometry: null, properties, error };
  }
}

interface Told {
  kind: ObjectKind;
  flags: readonly [number, number, number];
  parts: number;
  points: number;
  wideCount: number;
}

function formOf({ kind, flags, parts, points, wideCount }: Told, rules: RecordRules): MetricForm {
  const { passport, found } = rules;
  const isFour = passport.version === 4;
  const isText = kind === 'label' || kind === 'template';
  const isWideText = isFour && Boolean(flags[1] & 16);
  const encoding = isWideText ? 'utf-16le' : (rules.encoding ?? passport.encoding);
  const hasText = isText && Boolean(flags[2] & 8 || (!isFour && flags[2] & 32));
  return {
    kind,
    points: isFour && points === 65_535 ? wideCount : points,
    parts,
    isWide: Boolean(flags[1] & 4),
    isFloating: Boolean(flags[2] & 4),
    hasHeights: Boolean(flags[2] & 2),
    hasText,
    decode: (bytes) => {
      found(encoding);
      return iconv.decode(bytes, encoding);
    },
    zero: isWideText ? 2 : 1,
  };
}

function addSemantics(
  properties: Record<string, unknown>,
  semantics: readonly Semantic[],
  classifier: Classifier | undefined,
): void {
  for (const { code, value } of semantics) {
    const name = classifier?.semantics[code];
    const key = name && !(name in own) ? name : `sem_${code}`;
    // A characteristic may occur several times.
    let free = key;
    for (let i = 2; Object.hasOwn(properties, free); i++) free = `${key}_${i}`;
    properties[free] = value;
  }
}

/** Names with another meaning here. */
const own = { class_code: 1, class_name: 1, layer: 1, kind: 1, key: 1, text: 1, svc_id: 1 };

import { PbfWriter } from 'pbf';
import type { TileShape } from './shapes.js';

export type TileValue = string | number | boolean | null;

export interface TileFeature {
  id: number;
  shape: TileShape;
  /** In the order of the layer's `keys`. */
  values: readonly TileValue[];
}

export interface TileLayer {
  name: string;
  keys: readonly string[];
  features: readonly TileFeature[];
}

/** Side of a tile in units. */
export const tileUnits = 4096;

/**
 * Encodes a layer of a vector tile (https://github.com/mapbox/vector-tile-spec, 2.1); no bytes without features. The
 * encoded layers concatenated are a tile.
 */
export function encodeLayer(layer: TileLayer): Uint8Array {
  const tile = new PbfWriter();
  if (layer.features.length) tile.writeMessage(3, writeLayer, layer);
  return tile.finish();
}

function writeLayer(layer: TileLayer, pbf: PbfWriter): void {
  const values = new Map<string, number>();
  const ordered: TileValue[] = [];
  const indexOf = (value: TileValue): number => {
    const key = `${typeof value} ${value}`;
    const known = values.get(key);
    if (known !== undefined) return known;
    values.set(key, ordered.length);
    ordered.push(value);
    return ordered.length - 1;
  };
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, layer.name);
  for (const feature of layer.features) pbf.writeMessage(2, writeFeature, { feature, indexOf });
  for (const key of layer.keys) pbf.writeStringField(3, key);
  for (const value of ordered) pbf.writeMessage(4, writeValue, value);
  pbf.writeVarintField(5, tileUnits);
}

interface Writing {
  feature: TileFeature;
  indexOf: (value: TileValue) => number;
}

function writeFeature({ feature, indexOf }: Writing, pbf: PbfWriter): void {
  const { id, shape, values } = feature;
  if (id >= 0) pbf.writeVarintField(1, id);
  const tags = values.flatMap((value, key) => (value === null ? [] : [key, indexOf(value)]));
  if (tags.length) pbf.writePackedVarint(2, tags);
  pbf.writeVarintField(3, shape.type);
  pbf.writePackedVarint(4, commandsOf(shape));
}

function writeValue(value: TileValue, pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(1, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(7, value);
  else if (!Number.isSafeInteger(value)) pbf.writeDoubleField(3, value as number);
  else if ((value as number) < 0) pbf.writeSVarintField(6, value as number);
  else pbf.writeVarintField(5, value as number);
}

const [moveTo, lineTo, closePath] = [1, 2, 7];
const command = (id: number, count: number): number => (count << 3) | id;
/** Zigzag encoding: maps small integers of either sign to small unsigned ones. */
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

/** The drawing commands of a shape (section 4.3.1). */
function commandsOf({ type, paths }: TileShape): number[] {
  const commands: number[] = [];
  let [x, y] = [0, 0];
  const moveBy = (path: readonly number[], from: number, to: number): void => {
    for (let i = from; i < to; i += 2) {
      commands.push(zigzag(path[i]! - x), zigzag(path[i + 1]! - y));
      [x, y] = [path[i]!, path[i + 1]!];
    }
  };
  for (const path of paths) {
    // Rings omit their last point, which repeats the first.
    const end = type === 3 ? path.length - 2 : path.length;
    const first = type === 1 ? end : 2;
    commands.push(command(moveTo!, first / 2));
    moveBy(path, 0, first);
    if (type === 1) continue;
    commands.push(command(lineTo!, (end - first) / 2));
    moveBy(path, first, end);
    if (type === 3) commands.push(command(closePath!, 1));
  }
  return commands;
}

import type { ChunkGrid } from '@cartulary/renderer';
import { digestOf } from '@cartulary/runtime';
import { statement } from '@cartulary/sql';
import { type LabelChunkQuery, labelChunksSql } from '../plan/sql/label-chunk-sql.js';

/** A query of labels with the key of its chunks. */
export interface LabelChunkSource extends LabelChunkQuery {
  layerId: number;
  /** Hash of everything on which the chunks depend, except their places and the data. */
  key: string;
  /** Pixels of the picture around it in which labels are read. */
  reachPx: number;
}

export function labelChunkSource(
  query: Omit<LabelChunkQuery, keyof ChunkGrid>,
  { level, depth }: ChunkGrid,
  reachPx: number,
): LabelChunkSource {
  const whole = { ...query, level, depth };
  const key = digestOf(JSON.stringify([chunkFormat, statement(labelChunksSql(whole, []))]));
  return { ...whole, layerId: query.source.id, key, reachPx };
}

/** Version of the chunk format; raise it when the same statement gives other bytes. */
const chunkFormat = 'labels 1';

import { digestOf } from '@cartulary/runtime';
import { statement } from '@cartulary/sql';
import { type SmallFeatureQuery, smallFeaturesSql } from '../plan/sql/small-feature-sql.js';

/** A query of small features with the key of its chunks. */
export interface SmallFeatureSource extends SmallFeatureQuery {
  /** Hash of everything on which the chunks depend, except their places and the data. */
  key: string;
}

export const smallFeatureSource = (query: SmallFeatureQuery): SmallFeatureSource => ({
  ...query,
  key: digestOf(JSON.stringify([chunkFormat, statement(smallFeaturesSql(query, []))])),
});

/** Version of the chunk format; raise it when the same statement gives other bytes. */
const chunkFormat = 4;

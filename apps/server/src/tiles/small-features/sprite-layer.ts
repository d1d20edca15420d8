import { createHash } from 'node:crypto';
import { sql } from '../../db/sql.js';
import type { CompiledStyle, MapLayer } from '../../styles/compile.js';
import { type LayerSource, readColumns } from '../layer-sql.js';
import { drawnXml, namingColumns } from '../mapnik-xml.js';
import type { SpeckPass } from '../messages.js';
import type { DrawnReading } from '../reads.js';
import { type ChunkGrid, pixelAt } from './chunk.js';
import { type SpeckSource, speckSource } from './speck-chunks.js';
import { featuresToken } from './stamps.js';

/** A layer of which the smallest objects are drawn apart, above the others. */
export interface SpeckedPart {
  /** The layer without them. */
  larger: MapLayer;
  pass: SpeckPass;
  source: SpeckSource;
}

/** Pixels beyond which a stamp is too large to save anything. */
const farthest = 24;

/** The specks of a layer in a scale of pixels at a level, by chunks of a size; undefined where they are not drawn alike, each by itself. */
export function speckedPart(
  source: LayerSource,
  compiled: CompiledStyle,
  { level, depth, scale }: ChunkGrid & { scale: number },
): Pick<SpeckedPart, 'pass' | 'source'> | undefined {
  const distinctions = compiled.distinctionsAt(source.zoom);
  const { pixels } = compiled.reachAt(source.zoom);
  if (!distinctions || pixels === undefined || pixels * scale > farthest) return undefined;
  const values = readColumns(source);
  if (source.read.includes('svc_id')) values.set('svc_id', sql`t.svc_id`);
  const { id, filter } = source;
  const xml = drawnXml(
    {
      bufferSize: 0,
      layers: [
        {
          name: 'specks',
          srs: 'epsg:3857',
          datasource: { type: 'geojson', inline: featuresToken },
          compiled: namingColumns(compiled, source.read),
        },
      ],
    },
    scale,
  );
  return {
    pass: {
      kind: 'specks',
      layerId: id,
      pixel: pixelAt(level),
      reach: Math.ceil(pixels * scale) + 1,
      xml,
      xmlKey: createHash('sha256').update(xml).digest('base64url'),
      chunks: [],
    },
    source: speckSource({ layerId: id, level, depth, filter, distinctions, values }),
  };
}

/** Whether the map may be divided above a part: labels and symbols below are not in the way of those above, which would no longer know of them. */
export const splitsNobody = (parts: readonly DrawnReading[], at: number): boolean =>
  !(
    parts.slice(0, at + 1).some(({ claims }) => claims) &&
    parts.slice(at + 1).some(({ reads }) => reads === 'block')
  );

import type { Caller } from '../access/caller.js';
import { geojsonInput, importFeatures } from '../imports/import.js';
import { smallFeatureIndex } from '../layers/indexes/small-feature-index.js';
import type { Layer } from '../layers/layers.js';
import type { Services } from '../services.js';
import type { PrintedData } from './printed-data.js';

type Progress = NonNullable<Parameters<typeof importFeatures>[3]['progress']>;

/**
 * Fills a layer, and makes its index of small features, for which the first look at the map would wait. Returns the number of objects.
 */
export async function fillLayer(
  { db, config, indexer }: Pick<Services, 'db' | 'config' | 'indexer'>,
  { caller, layer, data }: { caller: Caller; layer: Layer; data: PrintedData },
  how: { localized?: readonly string[]; signal: AbortSignal; progress?: Progress },
): Promise<number> {
  const { localized = [], signal, progress } = how;
  const { stored } = await importFeatures(db, layer, geojsonInput(data.stream), {
    action: 'replace',
    languages: caller.project.languages,
    localized,
    featureLimit: config.importFeatureLimitBytes,
    columnLimit: config.columnLimit,
    signal,
    ...(progress ? { progress } : {}),
  });
  await data.ended;
  await indexer.make([smallFeatureIndex(layer.id, config.smallFeaturesFrom)]);
  return stored;
}

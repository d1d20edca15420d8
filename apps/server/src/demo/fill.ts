import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../access/caller.js';
import { geojsonInput, importFeatures } from '../imports/import.js';
import { smallFeatureIndex } from '../layers/indexes/small-feature-index.js';
import type { Layer } from '../layers/layers.js';
import type { Services } from '../services.js';

type Progress = NonNullable<Parameters<typeof importFeatures>[3]['progress']>;

/**
 * Fills a layer with the output of `data.js` for a name, and makes its index of small features, for which the first look at the map would
 * wait. Returns the number of objects.
 */
export async function fillLayer(
  { db, config, indexer }: Pick<Services, 'db' | 'config' | 'indexer'>,
  { caller, layer, data }: { caller: Caller; layer: Layer; data: string },
  how: { localized?: readonly string[]; signal: AbortSignal; progress?: Progress },
): Promise<number> {
  const { localized = [], signal, progress } = how;
  const printer = spawn(process.execPath, [fileURLToPath(new URL('./data.js', import.meta.url)), data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const ended = once(printer, 'close');
  ended.catch(() => {}); // the import reports an abort
  const { stored } = await importFeatures(db, layer, geojsonInput(printer.stdout), {
    action: 'replace',
    languages: caller.project.languages,
    localized,
    featureLimit: config.importFeatureLimit,
    columnLimit: config.columnLimit,
    signal,
    ...(progress ? { progress } : {}),
  });
  await ended;
  await indexer.make([smallFeatureIndex(layer.id, config.smallFeaturesFrom)]);
  return stored;
}

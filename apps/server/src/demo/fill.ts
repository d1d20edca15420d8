import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Caller } from '../access/caller.js';
import type { Services } from '../http/service.js';
import type { Layer } from '../layers/layers.js';
import { geojsonInput, importFeatures } from '../transfer/import.js';

type Progress = NonNullable<Parameters<typeof importFeatures>[3]['progress']>;

/** Fills a layer with what `data.js` prints under a name: the number of objects. */
export async function fillLayer(
  { db, config }: Pick<Services, 'db' | 'config'>,
  { caller, layer, data }: { caller: Caller; layer: Layer; data: string },
  how: { localized?: readonly string[]; signal: AbortSignal; progress?: Progress },
): Promise<number> {
  const { localized = [], signal, progress } = how;
  const printer = spawn(process.execPath, [fileURLToPath(new URL('./data.js', import.meta.url)), data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  const ended = once(printer, 'close');
  ended.catch(() => {}); // an abort is reported by the import
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
  return stored;
}

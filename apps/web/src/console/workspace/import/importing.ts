import type { AnswerOf, CartularyClient, JobDetails } from '@cartulary/client';

/** The report of an import, or what a preview says that it would be. */
export type ImportReport = AnswerOf<'/api/2.8/{project}/{map}/import/', 'post'>['import'];

/** How a file is read. Empty: as the service finds it. */
export interface ReadingChoice {
  encoding: string;
  srs: string;
}

/** Where the objects go. */
export type Target =
  | { kind: 'new'; name: string; code: string; parent: number }
  | { kind: 'append' | 'replace'; layer: string };

/** Number of objects that a preview shows. */
const previewRows = '8';

const readingQuery = ({ encoding, srs }: ReadingChoice) => ({
  ...(encoding ? { encoding } : {}),
  ...(srs ? { srs } : {}),
});

interface Imported {
  client: CartularyClient;
  /** Code of the map. */
  map: string;
  upload: string;
  reading: ReadingChoice;
}

/** What an import would do: into a new layer, or into the one that is chosen. Nothing is stored. */
export async function previewImport(
  { client, map, upload, reading }: Imported,
  target: Target,
  signal: AbortSignal,
): Promise<ImportReport> {
  const query = { upload, dry_run: '1', rows: previewRows, ...readingQuery(reading) } as const;
  if (target.kind === 'new') {
    const params = { path: { map }, query };
    return (await client.post('/api/2.8/{project}/{map}/import/', { params, signal })).import;
  }
  const params = {
    path: { map, layer: target.layer },
    query: { ...query, action: target.kind === 'replace' ? '1' : '2' } as const,
  };
  const answer = await client.post('/api/2.8/{project}/{map}/layers/{layer}/import/', { params, signal });
  return (answer as { import: ImportReport }).import;
}

/** Imports an upload, and makes its layer first where that is new. A new layer that stays empty is removed. */
export async function carryOut(
  { client, map, upload, reading }: Imported,
  target: Target,
  { lng, signal, onState }: { lng: string; signal: AbortSignal; onState: (state: JobDetails) => void },
): Promise<{ report: ImportReport; layer: string }> {
  const layer = target.kind === 'new' ? await makeLayer(client, map, target, lng) : target.layer;
  try {
    const action = target.kind === 'replace' ? '1' : '2';
    const settings = { action, skip_errors: '1', lng, ...readingQuery(reading) } as const;
    const job = await client.importUpload({ map, layer }, upload, settings, { signal });
    const cancel = (): void => void job.cancel().catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    let last: JobDetails | undefined;
    for await (const state of job) {
      last = state;
      onState(state);
    }
    signal.removeEventListener('abort', cancel);
    const { import: report } = await job.result<{ import: ImportReport }>();
    return { report: (last?.result as { import: ImportReport } | undefined)?.import ?? report, layer };
  } catch (error) {
    if (target.kind === 'new') await removeLayer(client, map, layer);
    throw error;
  }
}

async function makeLayer(
  client: CartularyClient,
  map: string,
  { name, code, parent }: Extract<Target, { kind: 'new' }>,
  lng: string,
): Promise<string> {
  const body = { name, parent_id: parent, ...(code ? { code } : {}) };
  const made = await client.post('/api/2.8/{project}/{map}/layers/', {
    params: { path: { map }, query: { lng } },
    body,
  });
  return made.code;
}

const removeLayer = (client: CartularyClient, map: string, layer: string): Promise<unknown> =>
  client
    .delete('/api/2.8/{project}/{map}/layers/{layer}/', { params: { path: { map, layer } } })
    .catch(() => {});

/** Removes an upload that is no longer needed; the service would remove it after a day. */
export const forgetUpload = (client: CartularyClient, upload: string): void =>
  void client
    .delete('/api/2.8/{project}/files/uploads/{upload}/', {
      params: { path: { upload }, header: { 'tus-resumable': '1.0.0' } },
    })
    .catch(() => {});

import type { AnswerOf, CartularyClient, ClientJob, JobDetails } from '@cartulary/client';
import { runJob } from '../../runJob.js';

/** The report of an import, or what a preview says that it would be. */
export type ImportReport = AnswerOf<'/api/2.8/{project}/{map}/import/', 'post'>['import'];

/** How a file is read. Empty: as the service finds it. */
export interface ReadingChoice {
  /** The sheet of a spreadsheet, or the layer of a GeoPackage: its name or number. */
  sheet: string;
  encoding: string;
  srs: string;
  /** Of a table: names of the columns with the coordinates. */
  x: string;
  y: string;
  /** Of an image: west, south, east, north in its projection. */
  box: string;
  /** What becomes of columns, where that is not as the service finds it. */
  columns: readonly ColumnChoice[];
}

/** What becomes of a property of the file. */
export interface ColumnChoice {
  property: string;
  code: string;
  name: string;
  type: string;
  /** It is left out. */
  skip: boolean;
}

/** A column of a preview. */
export type PlanColumn = NonNullable<ImportReport['columns']>[number];

export const asFound: ReadingChoice = {
  sheet: '',
  encoding: '',
  srs: '',
  x: '',
  y: '',
  box: '',
  columns: [],
};

/** Where the objects go. */
export type Target =
  | NewTarget
  /** The image of a layer of images is replaced. */
  | { kind: 'other image'; layer: string }
  | { kind: 'append' | 'replace'; layer: string }
  /** Objects with equal values in the column `key` are changed; empty: it is not chosen yet. */
  | { kind: 'merge'; layer: string; key: string };

/** A layer that is made: of objects, or of an image. */
export interface NewTarget {
  kind: 'new' | 'image';
  name: string;
  code: string;
  parent: number;
}

export const isNewTarget = (target: Target): target is NewTarget =>
  target.kind === 'new' || target.kind === 'image';

/** Number of objects that a preview shows. */
const previewRows = '8';

/** Number of objects whose geometries a preview sketches. */
const sketched = '500';

const readingQuery = ({ sheet, encoding, srs, x, y, box, columns }: ReadingChoice) => ({
  ...(sheet.trim() ? { sheet } : {}),
  ...(encoding ? { encoding } : {}),
  ...(srs ? { srs } : {}),
  ...(x && y ? { x, y } : {}),
  ...(box.trim() ? { raster_bbox: boxParameter(box) } : {}),
  ...(columns.length ? { columns: JSON.stringify(columns.map(columnParameter)) } : {}),
});

/** Four numbers as the interface takes an extent; the service says what is wrong with another text. */
const boxParameter = (text: string): string => {
  const [west = '', south = '', east = '', north = ''] = text.split(/[\s,;]+/).filter(Boolean);
  return `BOX(${west} ${south},${east} ${north})`;
};

const columnParameter = ({ property, skip, ...column }: ColumnChoice): object =>
  skip ? { property, skip } : { property, ...column };

const targetQuery = (target: Exclude<Target, NewTarget>) => ({
  action: target.kind === 'replace' ? ('1' as const) : ('2' as const),
  ...(target.kind === 'merge' && target.key ? { key: target.key } : {}),
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
  const query = {
    upload,
    dry_run: '1',
    rows: previewRows,
    sketch: sketched,
    ...readingQuery(reading),
  } as const;
  const options = { signal, isRead: true };
  if (isNewTarget(target)) {
    const params = { path: { map }, query: { ...query, type: typeOf(target) } };
    return (await client.post('/api/2.8/{project}/{map}/import/', { params, ...options })).import;
  }
  const params = {
    path: { map, layer: target.layer },
    query: { ...query, ...targetQuery(target) },
  };
  const answer = await client.post('/api/2.8/{project}/{map}/layers/{layer}/import/', { params, ...options });
  return (answer as { import: ImportReport }).import;
}

/** Imports an upload, and makes its layer first where that is new. A new layer that stays empty is removed. */
export async function carryOut(
  { client, map, upload, reading }: Imported,
  target: Target,
  { lng, signal, onState }: { lng: string; signal: AbortSignal; onState: (state: JobDetails) => void },
): Promise<{ report: ImportReport; layer: string }> {
  const layer = isNewTarget(target) ? await makeLayer(client, map, target, lng) : target.layer;
  try {
    const action = isNewTarget(target) ? ({ action: '2' } as const) : targetQuery(target);
    const settings = { ...action, skip_errors: '1', lng, ...readingQuery(reading) } as const;
    const begin = (): Promise<ClientJob> => client.importUpload({ map, layer }, upload, settings);
    const { import: report } = await runJob<{ import: ImportReport }>(begin, { signal, onState });
    return { report, layer };
  } catch (error) {
    if (isNewTarget(target)) await removeLayer(client, map, layer);
    throw error;
  }
}

const typeOf = ({ kind }: NewTarget): 'layer' | 'raster' => (kind === 'image' ? 'raster' : 'layer');

async function makeLayer(
  client: CartularyClient,
  map: string,
  target: NewTarget,
  lng: string,
): Promise<string> {
  const { name, code, parent } = target;
  const body = { name, parent_id: parent, type: typeOf(target), ...(code ? { code } : {}) };
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

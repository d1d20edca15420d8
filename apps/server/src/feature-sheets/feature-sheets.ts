import { intlLocales, type ObjectRow, valueColumns } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { createSemaphore } from '@cartulary/runtime';
import { mainLanguage } from '../access/caller.js';
import type { Config } from '../config.js';
import { shownName } from '../containers/names.js';
import type { ExternalPictures } from '../external/pictures.js';
import type { FeatureSheet, FeatureSheetRequest, MakeFeatureSheet } from '../objects/services.js';
import { findObject, objectNotFound } from '../objects/store.js';
import type { FileStorage } from '../storage/storage.js';
import type { ReadContent } from '../tiles/plan/map-content.js';
import { createPictureDrawer, type DrawPicture } from '../tiles/render/picture.js';
import type { RendererPool } from '../tiles/render/pool.js';
import type { MapPlace, SheetContent, SheetPicture } from './content.js';
import { objectName, sectionsOf } from './fields.js';
import { makePdf } from './make-pdf.js';
import { type PicturesOf, printable } from './pictures.js';
import { coordinates, frameAround, lengthText } from './place.js';

export { type PicturesOf, storedPictures } from './pictures.js';

interface Parts {
  config: Config;
  db: Database;
  storage: Pick<FileStorage, 'path'>;
  readContent: ReadContent;
  renderers: Pick<RendererPool, 'render'>;
  /** Decides which external layers are drawn; absent: none. */
  pictures?: Pick<ExternalPictures, 'draws'>;
  picturesOf: PicturesOf;
}

export function createFeatureSheetMaker(parts: Parts): MakeFeatureSheet {
  const { config } = parts;
  const draw = createPictureDrawer({ ...parts, fastLabels: config.fastLabels });
  const semaphore = createSemaphore(config.featureSheetsAtOnce, { maxWaiting: config.featureSheetQueue });
  const limits = { maxPages: config.featureSheetPages, fontFolder: config.fontFolder };

  return (request, gone) =>
    new Promise<FeatureSheet>((resolve, reject) => {
      const leave = new AbortController();
      const timeout = new ServiceError('timeout', 'Making the feature sheet took too long and was stopped');
      const timer = setTimeout(() => leave.abort(timeout), config.featureSheetTimeoutMs);
      const left = (): void => leave.abort(gone.reason);
      if (gone.aborted) left();
      gone.addEventListener('abort', left, { once: true });
      // The semaphore is held until the thread ends; the answer begins earlier.
      const work = async (): Promise<void> => {
        const content = await gather(parts, draw, request, leave.signal);
        const { pdf, ended } = makePdf(content, limits, leave.signal);
        pdf.then((stream) => resolve({ name: content.title, pdf: stream }), reject);
        await ended;
      };
      semaphore
        .for(request.owner ?? '')(work, leave.signal)
        .catch(reject)
        .finally(() => {
          clearTimeout(timer);
          gone.removeEventListener('abort', left);
        });
    });
}

async function gather(
  parts: Parts,
  draw: DrawPicture,
  request: FeatureSheetRequest,
  signal: AbortSignal,
): Promise<SheetContent> {
  const { caller, layer, id, lng } = request;
  const main = mainLanguage(caller);
  const language = lng ?? main;
  const columns = valueColumns(layer.columns);
  const output = { columns, main, lng, display: true, bbox: '4326' as const };
  const row = await findObject(parts.db, layer, { id, output }, signal);
  if (!row) throw objectNotFound(id);
  const values = new Map(columns.map((column, i) => [column.id, row.values[i]]));
  const names = [lng, main];
  const layerName = shownName(layer, names) || layer.code;
  return {
    title: objectName(columns, values) ?? `${layerName} ${id}`,
    map: shownName(layer.map, names) || layer.map.code,
    layer: layerName,
    lng: language,
    isRtl: /^(ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi)(-|$)/i.test(language),
    date: new Intl.DateTimeFormat(intlLocales(language), {
      dateStyle: 'long',
      numberingSystem: 'latn',
    }).format(),
    sections: sectionsOf({ columns: layer.columns, values, lng: language, main }),
    place: await placeOf(draw, { ...request, row }, signal),
    pictures: await picturesOf(parts, request, signal),
  };
}

/** Pixels of the picture per pixel of the style: 215 dpi on paper. */
const density = 2;

async function placeOf(
  draw: DrawPicture,
  request: FeatureSheetRequest & { row: ObjectRow },
  signal: AbortSignal,
): Promise<MapPlace | undefined> {
  const { row, caller, lng } = request;
  if (!row.box) return undefined;
  const frame = frameAround(row.box);
  const { width, height, isLandscape, bar, centre } = frame;
  const picture = await draw({ ...request, ...frame, scale: density }, signal);
  const label = lengthText(bar.metres, lng ?? mainLanguage(caller));
  return {
    picture,
    ratio: height / width,
    isLandscape,
    bar: { part: bar.part, label },
    centre: coordinates(centre),
  };
}

async function picturesOf(
  { config, picturesOf: filesOf }: Parts,
  { caller, layer, id, lng }: FeatureSheetRequest,
  signal: AbortSignal,
): Promise<SheetPicture[]> {
  const pictures: SheetPicture[] = [];
  if (config.featureSheetPictures === 0 || !layer.columns.some(({ type }) => type === 'file'))
    return pictures;
  const wanted = { objectId: id, lng, main: mainLanguage(caller) };
  for await (const file of filesOf(layer, wanted, signal)) {
    signal.throwIfAborted();
    const picture = await printable(file);
    if (picture) pictures.push(picture);
    if (pictures.length >= config.featureSheetPictures) break;
  }
  return pictures;
}

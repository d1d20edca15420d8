import type { Readable } from 'node:stream';
import { type Caller, mainLanguage } from '../access/caller.js';
import type { Config } from '../config.js';
import { shownName } from '../containers/names.js';
import type { Database } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import type { ExternalPictures } from '../external/pictures.js';
import { createTurns } from '../http/turns.js';
import type { IconFiles } from '../icons/icons.js';
import type { Layer } from '../layers/layers.js';
import { intlLocales } from '../layers/types.js';
import { findObject, type ObjectRow, objectNotFound, valueColumns } from '../objects/store.js';
import type { FileStorage } from '../storage/storage.js';
import { createPictureDrawer, type DrawPicture } from '../tiles/picture.js';
import type { RendererPool } from '../tiles/pool.js';
import type { CardContent, CardPicture, Place } from './content.js';
import { nameOf, sectionsOf } from './fields.js';
import { makePdf } from './making.js';
import { type PicturesOf, printable } from './pictures.js';
import { coordinates, frameAround, lengthText } from './place.js';

export { type PicturesOf, storedPictures } from './pictures.js';

export interface CardRequest {
  caller: Caller;
  /** Found for this caller, with the right to view it. */
  layer: Layer;
  id: number;
  lng?: string | undefined;
  /** In whose turns it is made. */
  owner?: string | undefined;
}

export interface Card {
  /** Without an extension; any text. */
  name: string;
  pdf: Readable;
}

/**
 * The PDF card of an object. Throws 404 `object_not_found`, `timeout`, and what drawing its map throws. When the signal
 * is aborted everything ends at once.
 */
export type MakeCard = (request: CardRequest, signal: AbortSignal) => Promise<Card>;

interface Parts {
  config: Config;
  db: Database;
  storage: Pick<FileStorage, 'path'>;
  icons: Pick<IconFiles, 'of'>;
  renderers: Pick<RendererPool, 'render'>;
  /** What of external layers may be drawn; absent: nothing. */
  pictures?: Pick<ExternalPictures, 'draws'>;
  picturesOf: PicturesOf;
}

export function createCardMaker(parts: Parts): MakeCard {
  const { config } = parts;
  const draw = createPictureDrawer(parts);
  const turns = createTurns(config.cardsAtOnce, { waiting: config.cardQueue });
  const limits = { mostPages: config.cardPages, fontFolder: config.fontFolder };

  return (request, gone) =>
    new Promise<Card>((resolve, reject) => {
      const leave = new AbortController();
      const tooLate = new ServiceError('timeout', 'Making the card took too long and was stopped');
      const timer = setTimeout(() => leave.abort(tooLate), config.cardTimeout);
      const left = (): void => leave.abort(gone.reason);
      if (gone.aborted) left();
      gone.addEventListener('abort', left, { once: true });
      // Its turn lasts until the thread has ended; the answer begins before.
      const work = async (): Promise<void> => {
        const content = await gather(parts, draw, request, leave.signal);
        const { pdf, ended } = makePdf(content, limits, leave.signal);
        pdf.then((stream) => resolve({ name: content.title, pdf: stream }), reject);
        await ended;
      };
      turns
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
  request: CardRequest,
  signal: AbortSignal,
): Promise<CardContent> {
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
    title: nameOf(columns, values) ?? `${layerName} ${id}`,
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
  request: CardRequest & { row: ObjectRow },
  signal: AbortSignal,
): Promise<Place | undefined> {
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
  { caller, layer, id, lng }: CardRequest,
  signal: AbortSignal,
): Promise<CardPicture[]> {
  const pictures: CardPicture[] = [];
  if (config.cardPictures === 0 || !layer.columns.some(({ type }) => type === 'file')) return pictures;
  const wanted = { objectId: id, lng, main: mainLanguage(caller) };
  for await (const file of filesOf(layer, wanted, signal)) {
    signal.throwIfAborted();
    const picture = await printable(file);
    if (picture) pictures.push(picture);
    if (pictures.length >= config.cardPictures) break;
  }
  return pictures;
}

import type { ServiceError } from '@cartulary/errors';
import sharp, { type OverlayOptions } from 'sharp';
import { shownName } from '../../containers/names.js';
import type { IconFiles } from '../../icons/icons.js';
import { demandRunning, type Layer } from '../../layers/layers.js';
import { legendView, visualOf } from '../../layers/visual/visual.js';
import type { FileStorage } from '../../storage/storage.js';
import { type IconParts, layerIcon } from '../../tiles/icons/layer-icon.js';
import { legendSwatch } from '../../tiles/icons/legend-icon.js';
import { wmsError } from './exceptions.js';
import { demandLegend, legendRow, legendSize, rowHeight, type SampleSize } from './legend-size.js';
import { textPicture } from './text-picture.js';

export interface LegendParts extends IconParts {
  db: Parameters<typeof legendView>[0];
  storage: Pick<FileStorage, 'path'>;
  icons: Pick<IconFiles, 'of'>;
  fontFolder: string;
}

/** Most entries that are drawn. */
const mostEntries = 200;

/** The legend of a layer, for a reader. */
export interface WantedLegend {
  layer: Layer;
  projectId: number;
  lng: string;
  main: string;
  sample: SampleSize;
  /** The title of the one entry that is wanted, without its text. */
  rule: string | undefined;
}

interface Entry {
  label: string | null;
  swatch?: string;
}

/** The legend of a layer as a PNG: the icon of the layer, or the entries of a visualization with their texts. */
export async function legendPicture(
  parts: LegendParts,
  { layer, projectId, lng, main, sample, rule }: WantedLegend,
  signal: AbortSignal,
): Promise<Uint8Array> {
  demandRunning(layer);
  const icons = await parts.icons.of(projectId);
  const size = Math.min(sample.width, sample.height);
  if (!visualOf(layer)) {
    if (rule !== undefined && rule !== titleOf(layer, lng, main)) throw unknownRule(rule);
    const icon = await layerIcon(parts, { layer, storage: parts.storage, icons, size, lng, main }, signal);
    return centred(await icon.draw(signal), sample, size);
  }
  const entries = await entriesOf(parts.db, { layer, lng, main }, signal);
  const draw = async (row: number): Promise<Uint8Array> => {
    const drawn = await legendSwatch(parts.db, { layer, entry: row, icons }, signal);
    return centred(await parts.drawSwatch(drawn, size, signal), sample, size);
  };
  if (rule === undefined) return legendTable(entries.slice(0, mostEntries), { sample, draw, parts });
  const row = entries.findIndex(({ label, swatch }) => (label ?? '') === rule && swatch !== undefined);
  if (row < 0) throw unknownRule(rule);
  return draw(row);
}

const titleOf = (layer: Layer, lng: string, main: string): string =>
  shownName(layer, [lng, main]) || layer.code;

const unknownRule = (rule: string): ServiceError =>
  wmsError('InvalidParameterValue', `rule: the legend has no entry '${rule.slice(0, 100)}'`, 'rule');

const entriesOf = async (
  db: LegendParts['db'],
  { layer, lng, main }: Pick<WantedLegend, 'layer' | 'lng' | 'main'>,
  signal: AbortSignal,
): Promise<Entry[]> =>
  (await legendView(db, layer, { lng, main, swatchPath: String }, signal)).classificators as Entry[];

/** Entries below each other, with their texts. */
async function legendTable(
  entries: readonly Entry[],
  {
    sample,
    draw,
    parts,
  }: { sample: SampleSize; draw(row: number): Promise<Uint8Array>; parts: Pick<LegendParts, 'fontFolder'> },
): Promise<Uint8Array> {
  // One entry has room for its text, too.
  const { width, height } = legendSize(Math.max(2, entries.length), sample);
  demandLegend({ width, height });
  const step = rowHeight(sample);
  const laid: OverlayOptions[] = [];
  for (const [row, { label, swatch }] of entries.entries()) {
    const top = row * step;
    if (swatch !== undefined)
      laid.push({
        input: Buffer.from(await draw(row)),
        left: 0,
        top: top + Math.floor((step - sample.height) / 2),
      });
    const text = await textPicture(cut(label ?? ''), {
      fontFolder: parts.fontFolder,
      room: { width: legendRow.text, height: legendRow.height },
    });
    if (text)
      laid.push({
        input: text,
        left: sample.width + legendRow.gap,
        top: top + Math.floor((step - legendRow.height) / 2) + 2,
      });
  }
  const canvas = sharp({ create: { width, height, channels: 4, background: clear } });
  return canvas.composite(laid).png().toBuffer();
}

/** Longest text of an entry, characters. */
const longestLabel = 200;

const cut = (label: string): string =>
  label.length > longestLabel ? `${label.slice(0, longestLabel)}…` : label;

const clear = { r: 0, g: 0, b: 0, alpha: 0 };

/** A square picture in the middle of a sample. */
async function centred(
  picture: Uint8Array,
  { width, height }: SampleSize,
  side: number,
): Promise<Uint8Array> {
  if (width === side && height === side) return picture;
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)];
  return sharp(picture)
    .ensureAlpha()
    .extend({
      left,
      top,
      right: width - side - left,
      bottom: height - side - top,
      background: clear,
    })
    .png()
    .toBuffer();
}

/** The legend of a layer as JSON, in the form of GeoServer: the texts of its entries. */
export async function legendTexts(
  db: LegendParts['db'],
  { layer, lng, main }: Pick<WantedLegend, 'layer' | 'lng' | 'main'>,
  signal: AbortSignal,
): Promise<object> {
  demandRunning(layer);
  const title = titleOf(layer, lng, main);
  const entries = visualOf(layer) ? await entriesOf(db, { layer, lng, main }, signal) : [{ label: title }];
  const rules = entries.map(({ label }) => ({ title: label ?? '' }));
  return { Legend: [{ layerName: layer.code, title, rules }] };
}

import { fontFaces } from '@cartulary/fonts';
import sharp, { type OverlayOptions } from 'sharp';
import { shownName } from '../../containers/names.js';
import type { IconFiles } from '../../icons/icons.js';
import { demandRunning, type Layer } from '../../layers/layers.js';
import { legendView, visualOf } from '../../layers/visual/visual.js';
import type { FileStorage } from '../../storage/storage.js';
import { type IconParts, layerIcon } from '../../tiles/icons/layer-icon.js';
import { legendSwatch } from '../../tiles/icons/legend-icon.js';
import { xmlValue } from '../common/xml.js';
import { legendRow, legendSize } from './legend-size.js';

export interface LegendParts extends IconParts {
  db: Parameters<typeof legendView>[0];
  storage: Pick<FileStorage, 'path'>;
  icons: Pick<IconFiles, 'of'>;
  fontFolder: string;
}

/** Most entries that are drawn. */
const mostEntries = 200;

/** The legend of a layer as a PNG: the icon of the layer, or the entries of a visualization with their texts. */
export async function legendPicture(
  parts: LegendParts,
  { layer, projectId, lng, main }: { layer: Layer; projectId: number; lng: string; main: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  demandRunning(layer);
  const icons = await parts.icons.of(projectId);
  const size = legendRow.side;
  if (!visualOf(layer)) {
    const icon = await layerIcon(parts, { layer, storage: parts.storage, icons, size, lng, main }, signal);
    return icon.draw(signal);
  }
  const view = await legendView(parts.db, layer, { lng, main, swatchPath: String }, signal);
  const entries = (view.classificators as { label: string | null; swatch?: string }[]).slice(0, mostEntries);
  const laid: OverlayOptions[] = [];
  for (const [row, { label, swatch }] of entries.entries()) {
    const top = row * legendRow.height + (legendRow.height - size) / 2;
    if (swatch !== undefined) {
      const sample = await legendSwatch(parts.db, { layer, entry: row, icons }, signal);
      laid.push({ input: Buffer.from(await parts.drawSwatch(sample, size, signal)), left: 0, top });
    }
    const text = await textPicture(label ?? '', parts.fontFolder);
    if (text) laid.push({ input: text, left: size + legendRow.gap, top: top + 2 });
  }
  // One entry has room for its text, too.
  const { width, height } = legendSize(Math.max(2, entries.length));
  const canvas = sharp({
    create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  return canvas.composite(laid).png().toBuffer();
}

/** The legend of a layer as JSON, in the form of GeoServer: the texts of its entries. */
export async function legendTexts(
  db: LegendParts['db'],
  { layer, lng, main }: { layer: Layer; lng: string; main: string },
  signal: AbortSignal,
): Promise<object> {
  demandRunning(layer);
  const title = shownName(layer, [lng, main]) || layer.code;
  const entries = visualOf(layer)
    ? ((await legendView(db, layer, { lng, main, swatchPath: String }, signal)).classificators as {
        label: string | null;
      }[])
    : [{ label: title }];
  const rules = entries.map(({ label }) => ({ title: label ?? '' }));
  return { Legend: [{ layerName: layer.code, title, rules }] };
}

/** A line of text, cut to the room that it has; undefined for an empty one. */
async function textPicture(label: string, fontFolder: string): Promise<Buffer | undefined> {
  const shown = label.length > 200 ? `${label.slice(0, 200)}…` : label;
  if (!shown.trim()) return undefined;
  const line = sharp({
    text: {
      text: xmlValue(shown.replace(/\s+/g, ' ')),
      fontfile: fontFaces(fontFolder)[0]!,
      font: 'Noto Sans 10',
      rgba: true,
      dpi: 96,
    },
  });
  const { data, info } = await line.png().toBuffer({ resolveWithObject: true });
  const [width, height] = [Math.min(info.width, legendRow.text), Math.min(info.height, legendRow.height - 6)];
  return sharp(data).extract({ left: 0, top: 0, width, height }).png().toBuffer();
}

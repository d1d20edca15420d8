import { call, service } from '../../../common/api.js';
import { address } from '../../../common/base.js';
import { iconAddress } from '../../objects.js';
import { type Legend, legendParts, shownEntries } from '../../panels/legend.js';
import type { TreeItem } from '../../tree.js';
import type { MapAddress } from '../../types.js';

/** A line of the legend. Icons are `data:` addresses, so that the sheet holds them itself. */
export interface LegendPart {
  kind: 'title' | 'entry';
  text: string;
  icon: string | null;
}

/** The legends of layers: classes of a visualization, else a sample of the style. */
export async function readLegends(
  map: MapAddress,
  layers: readonly TreeItem[],
  language: string,
): Promise<LegendPart[]> {
  const parts = await Promise.all(layers.map((layer) => readLegend(map, layer, language)));
  return parts.flat();
}

async function readLegend(map: MapAddress, layer: TreeItem, language: string): Promise<LegendPart[]> {
  const name = layer.name || layer.code;
  const icon = iconAddress(map, layer);
  const sample = async (): Promise<LegendPart[]> => [
    { kind: 'entry', text: name, icon: icon && (await dataOf(icon)) },
  ];
  if ((layer.style_mode ?? 0) < 3) return sample();
  const parts = legendParts(map, layer.code);
  const legend = await call<Legend>(address(parts, { lng: language })).catch(() => null);
  const entries = legend?.showLegend ? shownEntries(legend) : [];
  if (!entries.length) return sample();
  const lines = entries.map(
    async ({ place, label }): Promise<LegendPart> => ({
      kind: 'entry',
      text: label ?? '—',
      icon: await dataOf(address([...parts, String(place), 'icon'], { size: 64 })),
    }),
  );
  return [{ kind: 'title', text: name, icon: null }, ...(await Promise.all(lines))];
}

/** A picture of the service as a `data:` address; null if it cannot be loaded. */
async function dataOf(url: string): Promise<string | null> {
  try {
    const response = await service.open(url, {}, { isRead: true });
    const blob = await response.blob();
    return await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
  } catch {
    return null;
  }
}

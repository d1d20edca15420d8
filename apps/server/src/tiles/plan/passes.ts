import type { MapLayer } from '@cartulary/cartocss';
import { drawnXml, type Pass } from '@cartulary/renderer';
import { digestOf } from '@cartulary/runtime';

/** A pass that the renderer draws itself. */
export type OwnPass = Exclude<Pass, { kind: 'map' }>;

export const isOwnPass = (drawn: MapLayer | OwnPass): drawn is OwnPass => 'kind' in drawn;

/** The passes from the first own pass upwards: own passes, and between them Mapnik maps without a background. */
export function passesOf(
  drawn: readonly (MapLayer | OwnPass)[],
  { bufferSize, scale }: { bufferSize: number; scale: number },
): Pass[] {
  const passes: Pass[] = [];
  let layers: MapLayer[] = [];
  const close = (): void => {
    if (!layers.length) return;
    const xml = drawnXml({ layers, bufferSizePx: bufferSize }, scale);
    passes.push({ kind: 'map', xml, xmlKey: digestOf(xml) });
    layers = [];
  };
  for (const one of drawn) {
    if (!isOwnPass(one)) layers.push(one);
    else {
      close();
      passes.push(one);
    }
  }
  close();
  return passes;
}

import { createHash } from 'node:crypto';
import type { MapLayer } from '../styles/compile.js';
import { drawnXml } from './mapnik-xml.js';
import type { HeatPass, LabelPass, Pass, SpeckPass } from './messages.js';

/** What is no layer of a map of Mapnik's. */
export type OwnPass = HeatPass | SpeckPass | LabelPass;

export const isOwnPass = (drawn: MapLayer | OwnPass): drawn is OwnPass => 'kind' in drawn;

/** What lies from the first pass of our own upwards: those, and between them maps without a background. */
export function passesOf(
  drawn: readonly (MapLayer | OwnPass)[],
  { bufferSize, scale }: { bufferSize: number; scale: number },
): Pass[] {
  const passes: Pass[] = [];
  let layers: MapLayer[] = [];
  const close = (): void => {
    if (!layers.length) return;
    const xml = drawnXml({ layers, bufferSize }, scale);
    passes.push({ kind: 'map', xml, xmlKey: createHash('sha256').update(xml).digest('base64url') });
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

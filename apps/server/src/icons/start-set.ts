import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The icons of every project, name → file: Maki (https://labs.mapbox.com/maki-icons/, CC0), SVG of 15 × 15
 * pixels.
 */
export const startSet: ReadonlyMap<string, string> = readStartSet();

function readStartSet(): Map<string, string> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@mapbox/maki/package.json')), 'icons');
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.svg'))
    .map((file) => file.slice(0, -'.svg'.length))
    .sort();
  return new Map(names.map((name) => [name, join(folder, `${name}.svg`)]));
}

/** Width and height of an icon of the start set, pixels. */
export const startIconSizePx = 15;

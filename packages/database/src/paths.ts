import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the service. */
export const packageFolder: string = find(dirname(fileURLToPath(import.meta.url)));

function find(folder: string): string {
  const file = join(folder, 'package.json');
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'cartulary') return folder;
  if (dirname(folder) === folder) throw new Error('The package of the service is not whole: no package.json');
  return find(dirname(folder));
}

import { companions } from '@cartulary/formats/companions';
import { zipOf } from './zip.js';

/** Whether a file is an image by its name, also one with its parts in an archive. */
export const isImage = ({ name }: Pick<File, 'name'>): boolean => /\.(tiff?|png|jpe?g)(\.zip)?$/i.test(name);

const stemOf = ({ name }: File, ending: string): string => name.slice(0, -ending.length - 1).toLowerCase();
const hasEnding = ({ name }: File, ending: string): boolean => name.toLowerCase().endsWith(`.${ending}`);

/** Files that are imported one by one: parts of one data set that were given together become one archive. */
export async function dataSetsOf(files: readonly File[]): Promise<File[]> {
  const groups = new Map<File, File[]>();
  const taken = new Set<File>();
  for (const file of files) {
    const found = Object.entries(companions).find(([ending]) => hasEnding(file, ending));
    if (!found) continue;
    const [ending, endings] = found;
    const stem = stemOf(file, ending);
    const parts = files.filter((one) =>
      endings.some((other) => hasEnding(one, other) && stemOf(one, other) === stem),
    );
    groups.set(file, parts);
    for (const part of parts) taken.add(part);
  }
  const first = files.filter((file) => !taken.has(file));
  return Promise.all(
    first.map((file) => {
      const parts = groups.get(file) ?? [];
      return parts.length ? zipOf(`${file.name}.zip`, [file, ...parts]) : file;
    }),
  );
}

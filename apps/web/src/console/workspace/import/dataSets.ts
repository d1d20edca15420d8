import { zipOf } from './zip.js';

/** Data sets of several files: the ending of the first, and those of its parts. */
const formats: Readonly<Record<string, readonly string[]>> = {
  shp: ['dbf', 'shx', 'prj', 'cpg', 'qpj', 'sbn', 'sbx', 'qix', 'shp.xml'],
  tab: ['dat', 'map', 'id', 'ind'],
  mif: ['mid'],
  tif: ['tfw', 'tifw', 'wld', 'prj', 'tif.aux.xml', 'aux.xml'],
  tiff: ['tfw', 'tifw', 'wld', 'prj', 'tiff.aux.xml', 'aux.xml'],
  png: ['pgw', 'pngw', 'wld', 'prj', 'png.aux.xml', 'aux.xml'],
  jpg: ['jgw', 'jpgw', 'wld', 'prj', 'jpg.aux.xml', 'aux.xml'],
  jpeg: ['jgw', 'jpegw', 'wld', 'prj', 'jpeg.aux.xml', 'aux.xml'],
};

/** Whether a file is an image by its name, also one with its parts in an archive. */
export const isImage = ({ name }: Pick<File, 'name'>): boolean => /\.(tiff?|png|jpe?g)(\.zip)?$/i.test(name);

const stemOf = ({ name }: File, ending: string): string => name.slice(0, -ending.length - 1).toLowerCase();
const hasEnding = ({ name }: File, ending: string): boolean => name.toLowerCase().endsWith(`.${ending}`);

/** Files that are imported one by one: parts of one data set that were given together become one archive. */
export async function dataSetsOf(files: readonly File[]): Promise<File[]> {
  const groups = new Map<File, File[]>();
  const taken = new Set<File>();
  for (const file of files) {
    const found = Object.entries(formats).find(([ending]) => hasEnding(file, ending));
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

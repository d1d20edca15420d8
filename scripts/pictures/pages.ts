import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootFolder } from '../root.js';
import type { Example, Table } from './example.js';
import { width } from './scene.js';
import { icons, rendering, simple, styles } from './styles.js';
import { vectors, visuals } from './visuals.js';

export const tables: readonly Table[] = [styles, simple, rendering, icons, visuals, vectors];

/** The file of a picture, below the folder of the package. */
export const pictureOf = (table: Table, example: Example): string =>
  `docs/img/${table.name}/${example.name}.png`;

const begin = ({ name }: Table): string => `<!-- pictures: ${name}; made by npm run docs:pictures -->`;
const end = '<!-- end of pictures -->';

/** A table as Markdown. */
function markdown(table: Table): string {
  const rows = table.examples.map((example) => {
    const setting = example.setting ? `\`${example.setting.replaceAll('|', '\\|')}\`` : '–';
    const source = `../${pictureOf(table, example).slice('docs/'.length)}`;
    return `| ${setting} | ${example.text} | <img src="${source}" width="${width}" alt="${example.name.replaceAll('-', ' ')}"> |`;
  });
  return [begin(table), `| ${table.heading} | What it does | |`, '|---|---|---|', ...rows, end].join('\n');
}

/** A page of the guide with its tables as they should be. Throws when a page has no place for one. */
function filled(page: string, text: string): string {
  return tables
    .filter((table) => table.page === page)
    .reduce((whole, table) => {
      const from = whole.indexOf(begin(table));
      const to = whole.indexOf(end, from);
      if (from < 0 || to < 0)
        throw new Error(`docs/guide/${page} has no place for the table '${table.name}'`);
      return whole.slice(0, from) + markdown(table) + whole.slice(to + end.length);
    }, text);
}

/** Writes the tables into the pages. With `isCheck` lists outdated pages and writes nothing. */
export async function writePages(isCheck: boolean): Promise<string[]> {
  const stale: string[] = [];
  for (const page of new Set(tables.map((table) => table.page))) {
    const file = join(rootFolder, 'docs/guide', page);
    const text = await readFile(file, 'utf8');
    const wanted = filled(page, text);
    if (wanted === text) continue;
    stale.push(page);
    if (!isCheck) await writeFile(file, wanted);
  }
  return stale;
}

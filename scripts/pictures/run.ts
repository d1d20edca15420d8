import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fullVectorSettings } from '@cartulary/server';
import { rootFolder } from '../root.js';
import { type Client, openClient } from './client.js';
import type { Example, Table } from './example.js';
import { pictureOf, tables, writePages } from './pages.js';
import { image } from './scene.js';

import { map, type Service, startService } from './service.js';
import { mostBytes } from './small.js';

/**
 * Draws the pictures of the guide, every example by the real service, and writes the tables that show them. `--check` draws
 * nothing and reports missing and too large pictures. A name as argument draws only the tables with that name.
 */

/** Styles of the layers below an example. */
const quiet = {
  parks: '#parks { polygon-fill: #dfe8d8; }',
  roads: '#roads { line-color: #868e96; line-width: 5; }',
};
/** Vector settings with all keys, because absent ones would stay unchanged. */
const { id: _, ...unset } = fullVectorSettings(0, {});
/** Settings of a layer between examples. */
const blank = {
  render_type: 0,
  render_settings: {},
  visualSettings: null,
  simpleStyle: null,
  vectorSettings: unset,
};

async function check(): Promise<string[]> {
  const problems = (await writePages(true)).map((page) => `docs/guide/${page} is stale`);
  for (const table of tables)
    for (const example of table.examples) {
      const file = pictureOf(table, example);
      const { size = 0 } = (await stat(join(rootFolder, file)).catch(() => undefined)) ?? {};
      if (size === 0 || size > mostBytes) problems.push(`${file} has ${size} bytes`);
    }
  return problems;
}

/** Removes the settings of the last example. */
const hide = (service: Service, code: string): Promise<unknown> =>
  service.send('PATCH', `/${map}/layers/${code}/`, {
    ...(code === image.code ? {} : blank),
    css_style: `#${code} { line-width: 0; line-opacity: 0; }`,
  });

async function draw(service: Service, client: Client | undefined, table: Table, example: Example) {
  const { layer, below } = example;
  const path = `/${map}/layers/${layer}/`;
  if (table.isByClient) for (const code of ['places', 'crowd']) await hide(service, code);
  if (below) await service.send('PATCH', `/${map}/layers/${below}/`, { ...blank, css_style: quiet[below] });
  await hide(service, layer);
  await service.send('PATCH', path, table.body(example));
  if (table.isByClient) return client?.picture(example.name === 'popup');
  return service.picture([...(below ? [below] : []), layer]);
}

async function drawAll(wanted: string | undefined): Promise<void> {
  const service = await startService();
  const client = await openClient(service);
  try {
    for (const table of tables.filter(({ name }) => !wanted || name === wanted)) {
      await rm(dirname(join(rootFolder, pictureOf(table, table.examples[0]!))), { recursive: true, force: true }); // biome-ignore format: one line
      // The map page shows all layers, so they are deleted. Its table is the last one.
      if (table.isByClient)
        for (const code of ['parks', 'roads', image.code])
          await service.send('DELETE', `/${map}/layers/${code}/`, {});
      for (const example of table.examples) {
        const picture = await draw(service, client, table, example);
        const file = join(rootFolder, pictureOf(table, example));
        await mkdir(dirname(file), { recursive: true });
        if (picture) await writeFile(file, picture);
      }
      process.stdout.write(`${table.name}: ${table.examples.length} pictures\n`);
    }
  } finally {
    await client?.close();
    await service.stop();
  }
}

const [argument] = process.argv.slice(2);
if (argument !== '--check') {
  await drawAll(argument);
  await writePages(false);
}
for (const problem of await check()) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

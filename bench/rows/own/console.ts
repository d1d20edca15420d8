import type { TestServer } from '@cartulary/server/support/server.js';
import { adminPassword, chromiumPath } from '@cartulary/server/support/settings.js';
import { ident, sql } from '@cartulary/sql';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Finding, quantile, timed } from '../../measure.js';
import type { Stage } from '../../stage.js';
import { servicesAlone } from '../alone.js';
import type { Row } from '../row.js';

/** Sizes of the tree and of the table. */
const layers = 2_000;
const folders = 20;
/** Layers of the tree that are switched on. */
const shownLayers = 10;
const objects = 1_000_000;

/** Number of keys that are pressed in the tree and in the table. */
const presses = 60;

/** The console in Chromium beside the service: how long a user waits. */
export const consoleWaits: Row = {
  code: 'console',
  what: 'the console in Chromium: the workspace opens, a draft is drawn, keys in a large tree and table',
  isLong: true,
  isWithoutPeers: true,
  async measure(stage) {
    const { server } = (await servicesAlone(stage)).at(-1)!;
    await makeTallMap(server);
    await makeLongTable(server);
    const context = await signedIn(stage, server);
    const { rounds } = stage.options;
    return {
      findings: [
        ...(await openings(context, server, rounds)),
        ...(await drafts(context, server, rounds)),
        ...(await keys(context, server, rounds)),
      ],
    };
  },
};

/** A map with many layers in folders, of which a few are switched on. */
async function makeTallMap(server: TestServer): Promise<void> {
  await server.admin('POST', '/', { code: 'tall', name: 'Tall' });
  for (let folder = 0; folder < folders; folder++) {
    const { id: parent_id } = await server.admin('POST', '/tall/folders/', {
      code: `folder_${folder}`,
      name: `Folder ${folder}`,
    });
    for (let layer = 0; layer < layers / folders; layer++)
      await server.admin('POST', '/tall/layers/', { name: `Layer ${folder}.${layer}`, parent_id });
  }
  // Nobody shows that many layers at once: the others are in the tree, switched off.
  const tree: object[] = await server.admin('GET', '/tall/layers/');
  await server.admin(
    'POST',
    '/tall/publish/',
    tree.map((item, i) => ({ ...item, selected: i <= shownLayers })),
  );
}

/** A layer with many objects, drawn from a zoom on at which a tile has few of them. */
async function makeLongTable(server: TestServer): Promise<void> {
  await server.admin('POST', '/', { code: 'long', name: 'Long' });
  const css_style = '#wells [zoom >= 12] { marker-width: 4; }';
  const { id } = await server.admin('POST', '/long/layers/', { code: 'wells', css_style });
  const { id: column } = await server.admin('POST', '/long/layers/wells/structure/', {
    code: 'depth',
    type: 'number',
  });
  const part = 50_000;
  for (let from = 1; from <= objects; from += part)
    await server.db.transaction((tx) =>
      tx.query(sql`insert into ${ident('cartulary_data', `layer_${id}`)} (geom, ${ident(`c${column}`)})
        select st_setsrid(st_makepoint(i % 1000 / 100.0, i / 1000 / 100.0), 4326), i
        from generate_series(${from}::integer, ${from + part - 1}::integer) i`),
    );
}

async function signedIn(stage: Stage, server: TestServer): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  });
  stage.defer(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript(observe);
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(`${server.url}/console/demo/`);
  await page.locator('input[name=login]').fill('admin');
  await page.locator('input[name=password]').fill(adminPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  await page.close();
  return context;
}

/** Collects how long each interaction took until its next paint, ms. Shorter ones than 16 ms are not told. */
const observe = `window.waits = [];
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId) window.waits.push(duration);
}).observe({ type: 'event', durationThreshold: 16 });`;

const open = async (context: BrowserContext, server: TestServer, path: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${server.url}/console/demo/${path}`);
  await page.getByRole('treeitem').first().waitFor();
  await page.locator('[aria-busy="false"]').first().waitFor();
  return page;
};

const seconds = (work: string, values: readonly number[], below: number): Finding => ({
  ...{ work, unit: 's', values, valueUnit: 's', target: { below } },
});

/** From the address to the tree and the whole map. The first opening, which fills the browser's cache, is not counted. */
async function openings(context: BrowserContext, server: TestServer, rounds: number): Promise<Finding[]> {
  const values: number[] = [];
  for (let round = -1; round < rounds; round++) {
    let page: Page | undefined;
    const value = await timed(async () => {
      page = await open(context, server, 'world/');
    });
    await page?.close();
    if (round >= 0) values.push(value);
  }
  return [seconds('console: the workspace of the demo world opens', values, 1.5)];
}

/** From the last key in the style of the countries to the whole map with the draft. */
async function drafts(context: BrowserContext, server: TestServer, rounds: number): Promise<Finding[]> {
  const page = await open(context, server, 'world/?item=countries&tab=style');
  const editor = page.getByRole('textbox', { name: 'CartoCSS' });
  await editor.click();
  await page.keyboard.press('Control+End');
  const values: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const tile = page.waitForResponse((one) => one.url().includes('draft=1'));
    const value = await timed(async () => {
      await page.keyboard.insertText(`\n#countries { line-width: ${2 + round / 10}; }`);
      await tile;
      await page.locator('[aria-busy="false"]').first().waitFor();
    });
    if (round >= 0) values.push(value);
  }
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await page.close();
  return [seconds('console: a draft of the style of the demo world is drawn', values, 0.3)];
}

/** The interaction to next paint of keys: 98 of 100 are shorter. */
async function keys(context: BrowserContext, server: TestServer, rounds: number): Promise<Finding[]> {
  const places = [
    {
      what: `a tree of ${layers.toLocaleString('en')} layers`,
      path: 'tall/',
      first: '[role=treeitem]',
      keys: ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home', 'ArrowRight', 'ArrowLeft'],
    },
    {
      what: `a table of ${objects.toLocaleString('en')} rows`,
      path: 'long/?item=wells&table=1',
      first: '[role=grid]',
      keys: ['ArrowDown', 'PageDown', 'PageDown', 'Control+End', 'ArrowUp', 'Control+Home', 'Space'],
    },
  ];
  const findings: Finding[] = [];
  for (const { what, path, first, keys } of places) {
    const page = await open(context, server, path);
    await page.locator(first).first().focus();
    const values: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.evaluate('window.waits.length = 0');
      for (let i = 0; i < presses; i++) {
        await page.keyboard.press(keys[i % keys.length]!);
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        );
      }
      const waits = await page.evaluate<number[]>('window.waits');
      values.push(waits.length ? quantile(waits, 0.98) : 16);
    }
    findings.push({
      ...{ work: `console: interaction to next paint in ${what}`, unit: 'ms', values, valueUnit: 'ms' },
      target: { below: 100 },
    });
    await page.close();
  }
  return findings;
}

import assert from 'node:assert/strict';
import type { TestServer } from '../support/server.js';
import { hostile, makeAtlas } from './atlas.js';
import { assertFits, type BrowserProfile, isHacked, until } from './browser.js';
import { checkTargets, drawn, north } from './mapPage.js';
import { pageTest, phone, useSite } from './site.js';

const set = (server: TestServer, layer: string, visualSettings: object) =>
  server.admin('PATCH', `/atlas/layers/${layer}/`, { visualSettings });

const site = useSite(async (server) => {
  await makeAtlas(server);
  await set(server, 'lands', {
    type: 1,
    columnCode: 'population',
    classesCount: 2,
    legendNames: [{ en: 'People', ru: 'Люди' }],
  });
  await set(server, 'towns', {
    type: 2,
    columnCode: 'name',
    classesSettings: { classes: [{ value: hostile, color: '#123456' }] },
  });
});
const open = async (place = '', profile?: BrowserProfile) => {
  const opened = await site.open(`/maps/demo/atlas/${place}`, profile);
  await opened.page.getByRole('tree', { includeHidden: true }).waitFor({ state: 'attached' });
  return opened;
};

pageTest('the legend shows the classes of visible layers with their counts and colours', async () => {
  const { page, problems } = await open();
  const legend = page.getByRole('figure', { name: 'Legend of Lands' });
  await legend.waitFor();
  assert.match((await legend.textContent()) ?? '', /Lands.*People/);
  const items = legend.getByRole('listitem');
  const { classificators } = await site.server.admin('GET', '/atlas/layers/lands/legend/?lng=en');
  const shown = classificators.filter(({ count }: { count: number }) => count > 0);
  assert.deepEqual(
    await items.allTextContents(),
    shown.map(({ label, count }: { label: string; count: number }) => `${label ?? 'No data'}${count}`),
  );
  const swatches = await legend.locator('img').all();
  assert.equal(swatches.length, shown.length);
  for (const [i, swatch] of swatches.entries()) {
    const source = (await swatch.getAttribute('src')) ?? '';
    assert.ok(new URL(source).pathname.endsWith(`/legend/${classificators.indexOf(shown[i])}/icon/`), source);
  }
  // For screens of double density.
  await until(page, "[...document.querySelectorAll('figure img')].every((one) => one.naturalWidth === 48)");
  const towns = page.getByRole('figure', { name: 'Legend of Towns' });
  assert.match((await towns.textContent()) ?? '', /Others/);
  await page.getByRole('treeitem', { name: 'Lands' }).click();
  await legend.waitFor({ state: 'detached' });
  assert.equal(await isHacked(page), false);
  assert.deepEqual(problems, []);
});

pageTest('the keyboard reaches the legend', async () => {
  const { page } = await open(north);
  await page.getByRole('figure', { name: 'Legend of Lands' }).waitFor();
  const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? ''");
  for (let i = 0; i < 15 && (await focused()) !== 'Legend'; i++) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Legend');
});

pageTest('on a phone the legend is in the sheet of the layers', async () => {
  const { page, problems } = await open(north, phone);
  await drawn(page);
  const legend = page.getByRole('figure', { name: 'Legend of Lands' });
  assert.equal(await legend.isVisible(), false);
  await page.getByRole('button', { name: 'Show layers' }).tap();
  await legend.scrollIntoViewIfNeeded();
  await checkTargets(page);
  await assertFits(page);
  if (process.env.LEGEND_PICTURE) await page.screenshot({ path: `${process.env.LEGEND_PICTURE}-phone.png` });
  assert.deepEqual(problems, []);
});

pageTest('a legend that the settings hide is not shown', async () => {
  await set(site.server, 'lands', { type: 3, columnCode: 'population' });
  await set(site.server, 'towns', { type: 2, columnCode: 'name', showLegend: false });
  const { page } = await open();
  await page.getByRole('figure', { name: 'Legend of Lands' }).waitFor();
  await drawn(page);
  if (process.env.LEGEND_PICTURE) await page.screenshot({ path: `${process.env.LEGEND_PICTURE}.png` });
  assert.equal(await page.getByRole('figure').count(), 1);
});

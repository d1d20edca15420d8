import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../support/server.js';
import { hostile, makeAtlas } from './atlas.js';
import { assertFits, isHacked, openPage, until } from './browser.js';
import { pageTest, phone, useSite } from './site.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'hostile', name: hostile });
  await server.admin('POST', '/', { code: 'bold', name: 'A <b>bold</b> map' });
  await server.admin('POST', '/', { code: 'closed', name: 'Closed' });
  await server.admin('PATCH', '/closed/', { publish: false });
});

pageTest('without any map, the list says how to make the first one', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { page, problems } = await openPage(site.browser, `${server.url}/`);
  await page.getByRole('heading', { name: 'No map is published yet' }).waitFor();
  const links = await page
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  for (const path of ['console', 'docs', 'api/2.8/docs']) assert.ok(links.includes(`${server.url}/${path}/`));
  assert.deepEqual(problems, []);
  await page.context().close(); // its connections would keep the server from stopping
});

pageTest('pages are sent with a strict policy, their assets for ever', () => checkSending(site.server));

/** Whether the card of the atlas has pictures, all of which have come. */
const isDrawn = `(() => {
  const pictures = [...document.querySelectorAll('a[href*="/atlas/"] img')];
  return pictures.length && pictures.every((one) => one.naturalWidth === 512);
})()`;

pageTest('pages/maps.json lists what the public may view', () => checkList(site.server));

pageTest('a card shows each map with a picture and leads to it', async () => {
  const { page, problems } = await site.open('/');
  const card = page.getByRole('link', { name: /Atlas/ });
  await card.waitFor();
  assert.match((await card.textContent()) ?? '', /2 layers/);
  await until(page, isDrawn);
  assert.equal(await page.getByText(hostile).count(), 1, 'a hostile name is shown as it is');
  assert.equal(await page.getByText('Closed').count(), 0);
  assert.equal(await isHacked(page), false);
  await card.click();
  await page.waitForURL(`${site.server.url}/maps/demo/atlas/**`);
  assert.deepEqual(problems, []);
});

pageTest('a tile of a card that a busy service refuses is requested again', async () => {
  let refused = 0;
  const { page } = await site.open('/', {
    onPage: (made) =>
      made.route('**/tms/demo/atlas/**', async (route) => {
        refused++;
        if (refused > 1) return await route.continue();
        await route.fulfill({ status: 503, headers: { 'cache-control': 'no-store' }, body: '' });
      }),
  });
  await page.getByRole('link', { name: /Atlas/ }).waitFor();
  await until(page, isDrawn);
  assert.ok(refused > 1);
});

pageTest('the list is in Russian and dark for a reader whose browser is', async () => {
  const { page, problems } = await site.open('/', { languages: ['ru-RU', 'ru'], dark: true });
  await page.getByRole('heading', { name: 'Опубликованные карты' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(18, 24, 24)');
  await page.getByTestId('language').click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Published maps' }).waitFor();
  assert.deepEqual(problems, []);
});

pageTest('names of maps are in the best language of the reader, and found in all', async () => {
  const { admin } = site.server;
  for (let i = 0; i < 4; i++) await admin('POST', '/', { code: `more_${i}`, name: `More ${i}` });
  const { page, problems } = await site.open('/', { languages: ['ja', 'fr-CH', 'ru'] });
  const card = page.getByRole('link', { name: /Audace/ });
  await card.waitFor();
  for (const phrase of ['смелая', 'bold', 'audace']) {
    await page.getByRole('searchbox').fill(phrase);
    await page.getByRole('status').getByText(/^1 /).waitFor();
    assert.equal(await card.count(), 1, phrase);
  }
  await card.click();
  await page.getByRole('heading', { name: 'Audace' }).waitFor();
  assert.match(await page.title(), /^Audace · /);
  assert.deepEqual(problems, []);
});

pageTest('on a phone nothing is wider than the screen', async () => {
  const { page } = await site.open('/', phone);
  await page.getByRole('link', { name: /Atlas/ }).waitFor();
  await assertFits(page);
});

async function checkList({ request, admin }: TestServer): Promise<void> {
  const list = await request('GET', '//pages/maps.json');
  const atlas = list.json.find((map: { code: string }) => map.code === 'atlas');
  assert.deepEqual(
    list.json.map((map: { code: string }) => map.code).sort(),
    ['atlas', 'bold', 'hostile'],
    'a map that is not published is not listed',
  );
  const { project, name, languages, layers, attribution, extent } = atlas;
  assert.deepEqual(
    { project, name, languages, layers, attribution },
    { project: 'demo', name: 'Atlas', languages: ['en', 'ru'], layers: 2, attribution: 'Made for a test' },
  );
  const rounded = [...extent.sw, ...extent.ne].map((degrees: number) => Math.round(degrees * 1000) / 1000);
  assert.deepEqual(rounded, [20, 0, 60, 20]);

  const etag = list.headers.get('etag') ?? '';
  const again = await request('GET', '//pages/maps.json', { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  await admin('PATCH', '/bold/', { localized_name: true, name: { en: 'Bold', ru: 'Смелая', fr: 'Audace' } });
  const [bold] = (await request('GET', '//pages/maps.json?project=demo&map=bold')).json;
  assert.deepEqual([bold.name, bold.names], ['Bold', { en: 'Bold', ru: 'Смелая', fr: 'Audace' }]);
  await checkTitles(request);
  const one = await request('GET', '//pages/maps.json?project=demo&map=hostile');
  assert.equal(one.json.length, 1);
  assert.equal(one.json[0].extent, null);

  await admin('PUT', '/atlas/layers/lands/rights/', { user: 'public', right: 'none' });
  await admin('PATCH', '/hostile/', { show_pub: false });
  const fewer = await request('GET', '//pages/maps.json');
  assert.deepEqual(
    fewer.json.map((map: { code: string; layers: number }) => [map.code, map.layers]),
    [
      ['atlas', 1],
      ['bold', 0],
    ],
    'what the public may not view is neither counted nor measured',
  );
  assert.ok(fewer.json[0].extent.ne[0] < 51);
  assert.equal((await request('GET', '//pages/maps.json?project=demo&map=hostile')).json.length, 1);
  await admin('PUT', '/atlas/layers/lands/rights/', { user: 'public', right: null });
  await admin('PATCH', '/hostile/', { show_pub: true });
}

/** The title of a page is in the best language of the reader, as the address or the browser tells. */
async function checkTitles(request: TestServer['request']): Promise<void> {
  for (const [query, header, title] of [
    ['', 'ru-RU', 'Смелая'],
    ['', 'ja, de;q=0.9, fr-CH;q=0.8, en;q=0.5', 'Audace'],
    ['', 'en;q=0.4, ru;q=0.6', 'Смелая'],
    ['', 'ja', 'Bold'],
    ['?lng=fr', 'ru', 'Audace'],
    ['?lng=%27;drop&lng=ru', 'fr', 'Audace'],
  ] as const) {
    const { text, headers } = await request('GET', `//maps/demo/bold/${query}`, {
      headers: { 'accept-language': header },
    });
    assert.ok(text.includes(`<title>${title} · Cartulary</title>`), `${query} ${header}`);
    assert.match(headers.get('vary') ?? '', /Accept-Language/);
  }
}

async function checkSending({ request, url }: TestServer): Promise<void> {
  const home = await request('GET', '//');
  assert.equal(home.status, 200);
  assert.equal(home.headers.get('cache-control'), 'no-cache');
  const policy = home.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'; script-src 'self';/);
  assert.doesNotMatch(policy, /unsafe/);
  const again = await request('GET', '//');
  assert.notEqual(again.headers.get('content-security-policy'), policy, 'a nonce is used once');
  assert.doesNotMatch(home.text, /__[A-Z]+__/);

  const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(home.text)?.[1];
  const asset = await request('GET', `/${script}`, { headers: { 'accept-encoding': 'br' } });
  assert.equal(asset.status, 200);
  assert.match(asset.headers.get('cache-control') ?? '', /max-age=31536000, immutable/);
  assert.equal(asset.headers.get('content-encoding'), 'br');

  const map = await request('GET', '//maps/demo/bold/');
  assert.match(map.text, /<title>A &lt;b&gt;bold&lt;\/b&gt; map · Cartulary<\/title>/);
  assert.match(map.text, /src="\.\.\/\.\.\/\.\.\/assets\//);
  const bare = await fetch(`${url}/maps/demo/bold?lng=ru`, { redirect: 'manual' });
  assert.deepEqual([bare.status, bare.headers.get('location')], [301, './bold/?lng=ru']);
  for (const [path, status] of [
    ['//maps/demo/closed/', 403],
    ['//maps/demo/nowhere/', 404],
    ['//maps/nowhere/nowhere/', 404],
    ['//maps/demo/', 404],
    ['//assets/../../../package.json', 404],
    ['//assets/..%2f..%2f..%2fpackage.json', 404],
  ] as const) {
    assert.equal((await request('GET', path)).status, status, path);
  }
}

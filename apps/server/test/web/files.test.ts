import assert from 'node:assert/strict';
import test from 'node:test';
import sharp from 'sharp';
import { startServer, type TestServer } from '../support/server.js';
import { isHacked, openPage, startBrowser, until, withoutBrowser } from './browser.js';
import { clickMap, drawn, field, panel } from './mapPage.js';

const hostile = '<img src=x onerror=window.hacked=1>';

/** Creates a map with one object with files at its centre. */
async function makeMap(
  server: TestServer,
  files: [name: string, content: Uint8Array | string][],
): Promise<void> {
  const { admin } = server;
  await admin('POST', '/', { code: 'm' });
  const css_style = '#sites { marker-width: 20; marker-fill: #b5482a; }';
  await admin('POST', '/m/layers/', { code: 'sites', css_style });
  await admin('POST', '/m/layers/sites/structure/', { code: 'files', name: 'Files', type: 'file' });
  await admin('POST', '/m/layers/sites/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [10, 50] },
  });
  for (const [name, content] of files) {
    const body = new FormData();
    body.set('file', new Blob([content]), name);
    const path = '/m/layers/sites/objects/1/files/?field=files';
    const answer = await server.request('POST', path, { token: server.adminToken, body });
    assert.equal(answer.status, 200, answer.text);
  }
}

test('the files of an object: thumbnails of pictures, names of all else', {
  skip: withoutBrowser,
}, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  const picture = sharp({ create: { width: 800, height: 600, channels: 3, background: '#3b8f4f' } });
  await makeMap(server, [
    ['Парк.jpg', await picture.jpeg().toBuffer()],
    ['Отчёт.txt', 'hello'],
    [hostile, `<script>window.hacked=1</script>`],
  ]);
  const { page, problems } = await openPage(browser, `${server.url}/maps/demo/m/#5/50/10`);
  await drawn(page);
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByRole('img', { name: 'Парк.jpg' }).waitFor();
  await until(page, 'document.querySelector("dd img")?.naturalWidth === 400');
  const links = field(page, 'Files').getByRole('link');
  assert.equal(await links.count(), 3);
  assert.equal(await links.nth(1).textContent(), 'Отчёт.txt');
  assert.equal(await links.nth(2).textContent(), hostile, 'a hostile name is shown as it is');
  const other = await page.context().newPage();
  const [download] = await Promise.all([
    other.waitForEvent('download'),
    other.goto((await links.nth(2).getAttribute('href'))!).catch(() => {}), // a download ends the way there
  ]);
  assert.match(download.suggestedFilename(), /img src/, 'HTML is saved, not opened');
  const [opened] = await Promise.all([page.waitForEvent('popup'), links.nth(1).click()]);
  await opened.getByText('hello').waitFor();
  assert.equal(await isHacked(page), false);
  assert.deepEqual(problems, []);
});

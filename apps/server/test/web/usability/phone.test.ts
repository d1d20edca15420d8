import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../../support/server.js';
import { makeAtlas } from '../atlas.js';
import { openPage, startBrowser, withoutBrowser } from '../browser.js';
import { areApart, drawn } from '../mapPage.js';

test('on a phone no part of a map page hides another', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  await makeAtlas(server);
  await server.admin('PATCH', '/atlas/', {
    name: 'Towns and lands of the north',
    json: {
      attribution: 'Made for a test by many people, whose names fill three lines at the foot of a map',
    },
  });
  const { page } = await openPage(browser, `${server.url}/maps/demo/atlas/`, {
    width: 390,
    height: 844,
    touch: true,
  });
  await drawn(page);
  const zoomIn = page.getByRole('button', { name: 'Zoom in' });
  const bar = page.getByRole('banner');
  const foot = page.getByRole('main').locator('footer');
  for (const [name, one, other] of [
    ['the map and the bar', page.getByRole('main'), bar],
    ['the source and the button of the layers', foot, page.getByRole('button', { name: 'Show layers' })],
    ['the search and the buttons', page.getByRole('combobox'), zoomIn],
  ] as const)
    assert.ok(await areApart(one, other), name);
  const name = page.getByRole('heading', { level: 1 });
  const isCut = await name.evaluate((one) => one.scrollHeight > one.clientHeight);
  assert.equal(isCut, false, 'the whole name is shown');
});

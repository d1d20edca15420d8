import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../support/server.js';
import { makeAtlas } from '../atlas.js';
import { transitionsEnd } from '../axe.js';
import { type BrowserProfile, openPage, startBrowser, withoutBrowser } from '../browser.js';
import { drawn } from '../mapPage.js';

interface Stop {
  name: string;
  /** Whether an outline shows the focus, at the element or at the field around it. */
  hasRing: boolean;
  /** What is at its middle if that is neither the element nor inside of it; null outside of the screen. */
  cover?: string | null;
}

/** The focused element; null at the end of the page. */
const focused = `(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const outlined = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  const around = one.closest('label:focus-within');
  const { left, top, width, height } = one.getBoundingClientRect();
  const clamp = (place, size) => Math.min(Math.max(place, 0), size - 1);
  const hit = document.elementFromPoint(
    clamp(left + width / 2, innerWidth),
    clamp(top + Math.min(height, innerHeight) / 2, innerHeight),
  );
  return {
    name: one.getAttribute('aria-label') ?? one.getAttribute('placeholder') ?? one.textContent.trim(),
    hasRing: outlined(one) || (around !== null && outlined(around)),
    ...(hit && (one.contains(hit) || hit.contains(one)) ? {} : { cover: hit && hit.outerHTML.slice(0, 200) }),
  };
})()`;

/** The stops of the Tab key from the beginning of the page, at most 80. */
async function stopsOf(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    await page.evaluate(transitionsEnd);
    const stop = await page.evaluate<Stop | null>(focused);
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

const readers: [string, BrowserProfile][] = [
  ['on a desktop', {}],
  ['on a phone, dark', { width: 390, height: 844, dark: true }],
];

test('the Tab key reaches what a page offers, and the focus is visible', {
  skip: withoutBrowser,
}, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'closed', has_publication: false });
  for (let i = 0; i < 7; i++) await server.admin('POST', '/', { code: `map_${i}` });

  for (const [reader, how] of readers)
    for (const [path, ready, offers] of [
      ['/', (page) => page.getByRole('link', { name: /Atlas/ }).waitFor(), ['Find a map', 'Sign in']],
      ['/maps/demo/atlas/', drawn, ['Skip to the map', 'Search the map', 'Zoom in']],
      ['/maps/demo/closed/', (page) => page.getByLabel('Login').waitFor(), ['Sign in', 'All maps']],
      ['/docs/guide/tiles.html', async () => {}, ['Skip to the text', 'Search the documentation']],
      ['/nothing/', async () => {}, ['Maps', 'Documentation', 'Interface']],
    ] satisfies [string, (page: Page) => Promise<void>, string[]][])
      await t.test(`${path} ${reader}`, async () => {
        const { page } = await openPage(browser, server.url + path, how);
        await ready(page);
        const stops = await stopsOf(page);
        assert.deepEqual(
          stops.filter(({ hasRing, cover }) => !hasRing || cover !== undefined),
          [],
        );
        const names = stops.map(({ name }) => name);
        for (const offer of offers) assert.ok(names.includes(offer), `${offer} in ${names.join(', ')}`);
        await page.context().close();
      });
});

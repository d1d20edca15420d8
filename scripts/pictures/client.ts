import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { height, tile, width } from './scene.js';
import { map, type Service } from './service.js';
import { smallPng } from './small.js';

/** The map page in a browser, for layers that clients draw. */
export interface Client {
  /** A screenshot of the page; with `hasPopup` after a click on a place. */
  picture(hasPopup: boolean): Promise<Buffer>;
  close(): Promise<void>;
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Wide enough that no panel covers the picture. */
const viewport = { width: 1300, height: 600 };
/** Position from the corner of the picture. */
const place = { x: 104, y: 74 };

/** Undefined without a browser: its pictures stay unchanged. */
export async function openClient({ url }: Service): Promise<Client | undefined> {
  if (!existsSync(executablePath)) return undefined;
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const browser = await chromium.launch({ executablePath, args });
  const middle = (128 * 360) / 2 ** tile.z / 256;
  const corner = { x: (viewport.width - width) / 2, y: (viewport.height - height) / 2 };
  return {
    async picture(hasPopup) {
      const page = await browser.newPage({ viewport, deviceScaleFactor: 2 });
      await page.goto(`${url}/maps/demo/${map}/#${tile.z - 1}/${middle}/${middle}`);
      await page.locator('main[aria-busy="false"]').waitFor();
      await page.waitForTimeout(1_000);
      if (hasPopup) {
        await page.mouse.click(corner.x + place.x, corner.y + place.y);
        await page.locator('.vector-popup').waitFor();
      }
      const png = await page.screenshot({ clip: { ...corner, width, height } });
      await page.close();
      return smallPng(sharp(png));
    },
    close: () => browser.close(),
  };
}

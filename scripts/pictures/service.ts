import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, startServer } from '@cartulary/server';
import { pino } from 'pino';
import sharp from 'sharp';
import { height, image, layers, tile, width } from './scene.js';
import { smallPng } from './small.js';

/** The real service with the scene in it. */
export interface Service {
  url: string;
  send(method: string, path: string, body: unknown): Promise<unknown>;
  /** A picture of these layers, bottom to top, at scale 2. */
  picture(codes: readonly string[]): Promise<Buffer>;
  stop(): Promise<void>;
}

export const map = 'pictures';

const icon = (content: string, size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">${content}</svg>`;
const icons = {
  oak: icon('<path d="M14 18h4v12h-4z" fill="#7a5230"/><circle cx="16" cy="12" r="11" fill="#2f9e44"/>', 32),
  group: icon('<circle cx="11" cy="13" r="10" fill="#2f9e44"/><circle cx="21" cy="19" r="11" fill="#b2f2bb"/>', 44), // biome-ignore format: a table
};

/** Starts the service with an empty data folder. */
export async function startService(): Promise<Service> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-pictures-'));
  const password = 'correct-horse-battery';
  const config = parseConfig({
    PORT: '0',
    CARTULARY_DATA: dataFolder,
    CARTULARY_DEMO: '0',
    CARTULARY_LOG_LEVEL: 'error',
    CARTULARY_ADMIN_PASSWORD: password,
  });
  const server = await startServer(config, pino({ level: 'error' }, pino.destination(2)));
  const ask: Ask = async (path, init = {}) => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...init.headers };
    const answer = await fetch(server.url + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path} ${init.body}: ${await answer.text()}`);
    return answer;
  };
  let token = '';
  const send = async (method: string, path: string, body: unknown): Promise<unknown> =>
    (
      await ask(`/api/2.8/demo${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  ({ token } = (await send('POST', '/login/', { login: 'admin', password })) as { token: string });

  const ids = await makeScene(send, ask);

  return {
    url: server.url,
    send,
    async picture(codes) {
      const { z, x, y } = tile;
      const query = `z=${z}&x=${x}&y=${y}&retina=2&layers=${codes.map((code) => ids.get(code))}`;
      const png = Buffer.from(await (await ask(`/tms/demo/${map}/?${query}`)).arrayBuffer());
      const place = { left: 256 - width, top: 256 - height, width: 2 * width, height: 2 * height };
      return smallPng(sharp(png).extract(place));
    },
    async stop() {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Stores the layers, icons and the image of the scene. Returns the ids of the layers by code. */
async function makeScene(send: Service['send'], ask: Ask): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const newLayer = async (body: { code: string; type?: string }): Promise<void> =>
    void ids.set(body.code, ((await send('POST', `/${map}/layers/`, body)) as { id: number }).id);
  await send('POST', '/', { code: map, css_style: 'Map { background-color: #f6f4ec; }' });
  for (const [code, features] of Object.entries(layers)) {
    await newLayer({ code });
    await send('POST', `/${map}/layers/${code}/import/`, { type: 'FeatureCollection', features });
  }
  for (const [name, svg] of Object.entries(icons))
    await ask(`/api/2.8/demo/icons/${name}/`, {
      method: 'PUT',
      headers: { 'content-type': 'image/svg+xml' },
      body: svg,
    });
  await newLayer({ code: image.code, type: 'raster' });
  const [[west, south], [east, north]] = image.box;
  await ask(
    `/api/2.8/demo/${map}/layers/${image.code}/import/?raster_bbox=BOX(${west} ${south},${east} ${north})`,
    { method: 'POST', headers: { 'x-filename': 'photo.png' }, body: new Uint8Array(await squares()) },
  );
  return ids;
}

/** A coarse raster image of green lowlands and brown hills. */
function squares(): Promise<Buffer> {
  const { width: columns, height: rows } = image;
  const pixels = Buffer.alloc(columns * rows * 3);
  for (let i = 0; i < columns * rows; i++) {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    const hill = (Math.sin(x / 2) * Math.cos(y / 1.5)) / 2 + 0.5;
    pixels.set([90 + 120 * hill, 150 - 20 * hill, 80 + 10 * hill], 3 * i);
  }
  return sharp(pixels, { raw: { width: columns, height: rows, channels: 3 } })
    .png()
    .toBuffer();
}

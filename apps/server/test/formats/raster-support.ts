import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import { freshCode, type TestAnswer, type TestServer } from '../support/server.js';

const fixtures = new URL('../../../test/formats/fixtures/rasters/', import.meta.url);

export const image = (name: string): Buffer => readFileSync(new URL(name, fixtures));
export const imagePath = (name: string): string => new URL(name, fixtures).pathname;

/** The middle of the images that lie in EPSG:32637, and the colours around it. */
export const middle: readonly [number, number] = [37.61925, 55.68973];
export const colors = { nw: '#dc2828', ne: '#28a03c', sw: '#2850c8', se: '#f0d228', dot: '#ffffff' } as const;

export interface Rasters {
  server: TestServer;
  newLayer(css?: string): Promise<{ code: string; id: number; css_style: string }>;
  send(layer: string, file: Buffer, name: string, query?: string): Promise<TestAnswer>;
  /** Imports, and returns `import` of the answer. */
  load(layer: string, file: Buffer | string, query?: string): Promise<any>;
  /** `#rrggbb` at a place on a tile that draws these layers alone; `clear` where nothing is. */
  colorAt(layers: number | string, place: readonly [number, number], z?: number): Promise<string>;
}

/** What tests of images do with a server that has the map `m`. */
export function rastersOn(server: TestServer): Rasters {
  const send: Rasters['send'] = (layer, file, name, query = '') =>
    server.request('POST', `/m/layers/${layer}/import/?${query}`, {
      token: server.adminToken,
      body: file,
      headers: {
        'x-filename': encodeURIComponent(name),
        'content-type': 'application/octet-stream',
        accept: 'application/json',
      },
    });
  return {
    server,
    send,
    async newLayer(css) {
      const code = freshCode('r');
      const style = css === undefined ? {} : { css_style: `#${code} { ${css} }` };
      return server.admin('POST', '/m/layers/', { code, type: 'raster', ...style });
    },
    async load(layer, file, query) {
      const bytes = typeof file === 'string' ? image(file) : file;
      const answer = await send(layer, bytes, typeof file === 'string' ? file : 'image', query);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.import;
    },
    async colorAt(layers, place, z = 15) {
      const [x, y] = pixelOf(place, z);
      const row = 2 ** z - 1 - Math.floor(y / 256);
      const at = `z=${z}&x=${Math.floor(x / 256)}&y=${row}&base=0&layers=${layers}`;
      const answer = await server.request('GET', `//tms/demo/m/?${at}`, { token: server.adminToken });
      assert.equal(answer.status, 200, answer.text);
      return hexAt(answer.bytes, Math.floor(x % 256), Math.floor(y % 256));
    },
  };
}

/** A place in pixels of a zoom level from the north-west. */
function pixelOf([lon, lat]: readonly [number, number], z: number): [number, number] {
  const side = 256 * 2 ** z;
  const y = Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI;
  return [((lon + 180) / 360) * side, ((1 - y) / 2) * side];
}

export function hexAt(bytes: Buffer, x: number, y: number): string {
  const { data, width } = PNG.sync.read(bytes);
  const [red, green, blue, alpha] = data.subarray(4 * (y * width + x));
  if (!alpha) return 'clear';
  return `#${[red!, green!, blue!].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether two colours look alike: those of a JPEG are not exact. */
export function assertColor(actual: string, expected: string, message?: string): void {
  const parts = (color: string): number[] =>
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const isNear =
    actual === expected || parts(actual).every((value, i) => Math.abs(value - parts(expected)[i]!) <= 6);
  assert.ok(isNear, `${message ?? 'colour'}: ${actual} is not ${expected}`);
}

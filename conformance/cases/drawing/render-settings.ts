import { pixelAt, readPng } from '../../formats/png.js';
import { equal, rule, status } from '../../rules.js';
import { tile } from '../support.js';
import { painted } from './tiles.js';

const settings: [name: string, value: object][] = [
  ['minZoom', { minZoom: 2 }],
  ['maxZoom', { maxZoom: 24 }],
  ['opacity', { opacity: 0.5 }],
  ['buffer', { buffer: 128 }],
  ['cache', { cache: false }],
];
for (const [name, value] of settings)
  rule('Layers', `decided: render_settings keeps ${name}`, async (c) => {
    const layer = await c.layer();
    await c.send('PATCH', layer, { render_settings: value });
    equal((await c.send('GET', layer)).json.render_settings, value, 'render_settings');
  });
for (const wrong of [
  { minZoom: -1 },
  { minZoom: 25 },
  { maxZoom: 25 },
  { minZoom: 5, maxZoom: 4 },
  { opacity: 1.5 },
  { opacity: -0.1 },
  { buffer: -1 },
  { buffer: '64' },
  { cache: 'no' },
])
  rule('Layers', `decided: render_settings ${JSON.stringify(wrong)} is 400, nothing changes`, async (c) => {
    const layer = await c.layer();
    const before = (await c.send('GET', layer)).json.render_settings;
    status(await c.send('PATCH', layer, { render_settings: wrong }), 400);
    equal((await c.send('GET', layer)).json.render_settings, before, 'render_settings');
  });
for (const [name, value, query, expected] of [
  ['below minZoom nothing is drawn', { minZoom: 2 }, 'z=1&x=1&y=1', 0],
  ['from minZoom on it is drawn', { minZoom: 1 }, 'z=1&x=1&y=1', 255],
  ['above maxZoom nothing is drawn', { maxZoom: 0 }, 'z=1&x=1&y=1', 0],
  ['up to maxZoom it is drawn', { maxZoom: 1 }, 'z=1&x=1&y=1', 255],
  ['opacity 0.5 is half transparent', { opacity: 0.5 }, 'z=1&x=1&y=1', 128],
] as const)
  rule('Tiles', `decided: render_settings of a layer: ${name}`, async (c) => {
    const map = await painted(c);
    await c.send('PATCH', `${map}layers/a/`, { render_settings: value });
    const picture = readPng((await tile(c, map, `${query}&base=0`)).bytes);
    const alpha = pixelAt(picture, 50, 180)[3];
    equal(Math.abs(alpha - expected) < 3 ? expected : alpha, expected, 'opacity inside the polygon');
  });

import type { Client } from '../../client.js';
import { bands, blue, clear, green, red, turnedBands, white, yellow } from '../../formats/bands.js';
import { type Pixel, pixelAt, readPng } from '../../formats/png.js';
import { equal, rule, status } from '../../rules.js';
import { withFiles } from '../files/files.js';
import { form, jpeg, png, raw, shared } from '../support.js';

/** Adds a picture to an object. Returns its uuid. */
const keep = async (c: Client, object: string, bytes: Buffer, name: string): Promise<string> =>
  (await raw(c, `${object}files/`, { body: form(bytes, name, { field: 'docs' }) })).json.uuid;
const picture = shared(async (c) => await keep(c, await withFiles(c), bands, 'bands.png'));

const sizes: [query: string, width: number, height: number][] = [
  ['', 32, 16],
  ['w=100', 100, 50],
  ['h=50', 100, 50],
  ['w=100&fit=cover', 100, 50],
  ['h=50&fit=none', 100, 50],
  ['w=100&h=70', 100, 70],
  ['w=1', 1, 1],
  ['w=4096&h=1', 4096, 1],
  ['w=60&f=png', 60, 30],
];
for (const [query, width, height] of sizes)
  rule(
    'Images',
    `image/?${query} is ${width} by ${height}`,
    picture(async (c, uuid) => {
      const answer = await raw(c, `/image/${uuid}/?${query}`, { token: '' });
      const size = png(answer.bytes);
      equal([size.width, size.height, answer.type], [width, height, 'image/png'], 'size and type');
    }),
  );

/** Whether each channel is close; the colours of transparent pixels are ignored. */
const isLike = (found: Pixel, expected: Pixel): boolean =>
  found.every((value, at) => Math.abs(value - expected[at]!) < 24) || (found[3] === 0 && expected[3] === 0);

type Spot = readonly [x: number, y: number, color: Pixel];
function shows(bytes: Buffer, spots: readonly Spot[]): void {
  const read = readPng(bytes);
  const wrong = spots.flatMap(([x, y, expected]) => {
    const found = pixelAt(read, x, y);
    return isLike(found, expected) ? [] : [`${x}, ${y} is ${found} instead of ${expected}`];
  });
  equal(wrong, [], 'pixels');
}
/** The four colours in the middle row of a box of 32 by 32. */
const whole = (y: number): Spot[] => [
  [3, y, red],
  [12, y, green],
  [20, y, blue],
  [28, y, yellow],
];
const fits: [fit: string, box: string, spots: Spot[]][] = [
  ['fill', 'w=32&h=32', [...whole(1), ...whole(30)]],
  ['contain', 'w=32&h=32', [...whole(9), ...whole(22), [16, 3, clear], [16, 28, clear]]],
  [
    'contain',
    'w=64&h=64',
    [
      [4, 32, red],
      [60, 32, yellow],
      [32, 8, clear],
      [32, 56, clear],
    ],
  ],
  [
    'cover',
    'w=32&h=32',
    [
      [3, 1, green],
      [12, 30, green],
      [20, 1, blue],
      [28, 30, blue],
    ],
  ],
  [
    'none',
    'w=16&h=32',
    [
      [3, 16, green],
      [12, 16, blue],
      [3, 3, clear],
      [12, 28, clear],
    ],
  ],
  [
    'none',
    'w=64&h=8',
    [
      [8, 4, clear],
      [20, 4, red],
      [44, 4, yellow],
      [56, 4, clear],
    ],
  ],
  [
    'scale-down',
    'w=64&h=64',
    [
      [20, 32, red],
      [44, 32, yellow],
      [8, 32, clear],
      [32, 16, clear],
      [28, 30, green],
    ],
  ],
  [
    'scale-down',
    'w=16&h=16',
    [
      [1, 8, red],
      [14, 8, yellow],
      [8, 1, clear],
      [8, 14, clear],
    ],
  ],
];
for (const [fit, box, spots] of fits)
  rule(
    'Images',
    `fit=${fit} into ${box}: the pixels are those of object-fit`,
    picture(async (c, uuid) => shows((await raw(c, `/image/${uuid}/?${box}&fit=${fit}`)).bytes, spots)),
  );
rule(
  'Images',
  'fill is the default of fit',
  picture(async (c, uuid) =>
    shows((await raw(c, `/image/${uuid}/?w=32&h=32`)).bytes, [...whole(1), ...whole(30)]),
  ),
);
rule(
  'Images',
  'fit applies only when both w and h are given',
  picture(async (c, uuid) =>
    shows((await raw(c, `/image/${uuid}/?w=32&fit=none`)).bytes, [...whole(1), ...whole(14)]),
  ),
);

for (const f of ['jpg', 'jpeg'])
  rule(
    'Images',
    `image/?f=${f}`,
    picture(async (c, uuid) => {
      const answer = await raw(c, `/image/${uuid}/?w=60&h=30&f=${f}`);
      equal([jpeg(answer.bytes), answer.type], [{ height: 30, width: 60 }, 'image/jpeg'], 'size and type');
    }),
  );
rule('Images', 'the source format is the default: a JPEG stays one', async (c) => {
  const uuid = await keep(c, await withFiles(c), turnedBands(1), 'bands.jpg');
  const answer = await raw(c, `/image/${uuid}/?w=16`);
  equal([jpeg(answer.bytes), answer.type], [{ height: 8, width: 16 }, 'image/jpeg'], 'size and type');
  shows((await raw(c, `/image/${uuid}/?f=png`)).bytes, whole(8));
});
rule('Images', 'decided: the letterbox of contain is white in a jpg', async (c) => {
  const object = await withFiles(c);
  const uuid = await keep(c, object, bands, 'bands.png');
  const { bytes } = await raw(c, `/image/${uuid}/?w=64&h=64&fit=contain&f=jpg`);
  const again = await keep(c, object, bytes, 'contained.jpg');
  shows((await raw(c, `/image/${again}/?f=png`)).bytes, [
    [4, 32, red],
    [32, 4, white],
    [32, 60, white],
  ]);
});
const orientations: [orientation: number, width: number, spots: Spot[]][] = [
  [1, 32, whole(8)],
  [
    3,
    32,
    [
      [3, 8, yellow],
      [12, 8, blue],
      [20, 8, green],
      [28, 8, red],
    ],
  ],
  [
    6,
    16,
    [
      [8, 3, red],
      [8, 12, green],
      [8, 20, blue],
      [8, 28, yellow],
    ],
  ],
  [
    8,
    16,
    [
      [8, 3, yellow],
      [8, 12, blue],
      [8, 20, green],
      [8, 28, red],
    ],
  ],
];
for (const [orientation, width, spots] of orientations)
  rule('Images', `decided: EXIF rotation is applied: orientation ${orientation}`, async (c) => {
    const uuid = await keep(c, await withFiles(c), turnedBands(orientation), 'turned.jpg');
    const { bytes } = await raw(c, `/image/${uuid}/?f=png`);
    equal(png(bytes).width, width, 'width');
    shows(bytes, spots);
    equal(
      png((await raw(c, `/image/${uuid}/?f=png&h=64`)).bytes).width,
      width === 16 ? 32 : 128,
      'width by h=64',
    );
  });

for (const query of ['w=0', 'w=4097', 'h=4097', 'h=-1', 'w=x', 'w=9&h=9&fit=nonsense', 'f=nonsense'])
  rule(
    'Images',
    `decided: image/?${query} is 400`,
    picture(async (c, uuid) => status(await raw(c, `/image/${uuid}/?${query}`), 400)),
  );
rule('Images', '404 when there is no such file', async (c) =>
  status(await raw(c, '/image/00000000-0000-4000-8000-000000000000/?w=9'), 404),
);
rule('Images', 'decided: a file that is no picture is 400', async (c) =>
  status(await raw(c, `/image/${await keep(c, await withFiles(c), Buffer.from('text'), 'a.txt')}/?w=9`), 400),
);
rule('Images', 'decided: a picture of a layer that the caller may not view is 403', async (c) => {
  const object = await withFiles(c);
  const uuid = await keep(c, object, bands, 'bands.png');
  await c.send('PUT', `${object.replace(/objects\/.*/, '')}rights/`, { user: 'public', right: 'none' });
  equal((await raw(c, `/image/${uuid}/?w=9`, { token: '' })).status, 403, 'status');
});

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test from 'node:test';
import type { Mapnik } from '../mapnik.js';
import { blendRows } from './blend-modes.js';

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik & {
  compositeOp: Record<string, number>;
};

/** Premultiplied pixels of all pairs of some values and opacities: above and below. */
function pairs(): { above: Uint8Array; below: Uint8Array } {
  const some = [0, 255, 128, 64, 200].flatMap((alpha) =>
    [0, 30, 127, 254, 255].filter((value) => value <= alpha).map((value) => [value, alpha] as const),
  );
  const pixel = ([value, alpha]: readonly [number, number]): number[] => [value, alpha - value, 0, alpha];
  const both = some.flatMap((above) => some.map((below) => [pixel(above), pixel(below)] as const));
  return {
    above: Uint8Array.from(both.flatMap(([above]) => above)),
    below: Uint8Array.from(both.flatMap(([, below]) => below)),
  };
}

for (const mode of ['src-over', 'multiply', 'screen', 'plus', 'darken', 'lighten'] as const)
  test(`pixels are laid over others as Mapnik does it: ${mode}`, async () => {
    const { above, below } = pairs();
    const count = above.length / 4;
    const [image, ground] = [above, below].map((bytes) =>
      mapnik.Image.fromBufferSync(count, 1, Buffer.from(bytes), { premultiplied: true }),
    );
    await new Promise<void>((resolve, reject) =>
      ground!.composite(image!, { comp_op: mapnik.compositeOp[mode.replace('-', '_')]! }, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    const expected = ground!.data();
    const words = new Int32Array(below.buffer);
    blendRows[mode](words, 0, new Int32Array(above.buffer), 0, count);
    const far = Array.from(below, (value, i) => Math.abs(value - expected[i]!));
    assert.ok(Math.max(...far) <= 1, `${mode}: ${Math.max(...far)} at ${far.indexOf(Math.max(...far))}`);
  });

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { before } from 'node:test';
import { drawnFonts, makeDrawnFonts } from '@cartulary/fonts/internal/drawn.js';
import { findFonts } from '@cartulary/fonts/internal/files.js';
import type { RenderJob } from '@cartulary/renderer/internal/messages.js';
import { PNG } from 'pngjs';
import { createRendererPool } from '../../../src/tiles/render/pool.js';
import { startRenderer } from '../../../src/tiles/render/renderer-process.js';
import { keepingLog, poolConfig } from '../support.js';

before(makeDrawnFonts);

const texts = [
  'Oberammergau 12, Åland, Łódź',
  'Việt Nam, e\u0301 q\u0303 fi ffi',
  'Москва Жуков Йошкар-Ола',
  'Αθήνα ἐν ἀρχῇ',
  'القاهرة دمشق 5',
  'ירושלים (3)',
  'दिल्ली दर्‍या Delhi',
  'กรุงเทพฯ เชียงใหม่',
  '北京 Beijing 서울 さいたま',
];
const others = ['SC', 'Arabic', 'Hebrew', 'JP', 'KR', 'Thai'];
const side = 512;

/** Texts below each other, regular and bold, in the sizes of maps. */
function labels(): RenderJob {
  const styles = ['Regular', 'Bold'].map((weight) => {
    const faces = ['Noto Sans', ...others.map((name) => `Noto Sans ${name}`)];
    const set = faces.map((face) => `<Font face-name="${face} ${weight}"/>`).join('');
    const filter = `<Filter>[weight] = '${weight}'</Filter>`;
    const symbolizer = `<TextSymbolizer fontset-name="${weight}" size="[size]" fill="#222" allow-overlap="true">[name]</TextSymbolizer>`;
    return `<FontSet name="${weight}">${set}</FontSet><Style name="${weight}"><Rule>${filter}${symbolizer}</Rule></Style>`;
  });
  const features = texts.flatMap((name, i) =>
    ['Regular', 'Bold'].flatMap((weight, right) =>
      [11, 16].map((size, below) => ({
        type: 'Feature',
        properties: { name, weight, size },
        geometry: {
          type: 'Point',
          coordinates: [side * (0.25 + right / 2), side - 28 * (2 * i + below + 0.5)],
        },
      })),
    ),
  );
  const data = JSON.stringify({ type: 'FeatureCollection', features });
  const source = `<Parameter name="type">geojson</Parameter><Parameter name="inline"><![CDATA[${data}]]></Parameter>`;
  const layer = `<Layer name="x" srs="epsg:3857"><StyleName>Regular</StyleName><StyleName>Bold</StyleName><Datasource>${source}</Datasource></Layer>`;
  const xml = `<Map srs="epsg:3857" background-color="#fff">${styles.join('')}${layer}</Map>`;
  const extent: RenderJob['extent'] = [0, 0, side, side];
  return {
    xml,
    xmlKey: xml,
    extent,
    columns: 1,
    rows: 1,
    size: side,
    scale: 1,
    bufferSize: 0,
    format: 'png',
  };
}

/** Draws a job by a renderer with these font files. */
function drawWith(fonts: readonly string[], job: RenderJob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const renderer = startRenderer(
      { config: poolConfig(), log: keepingLog(), fonts },
      {
        onMessage(message) {
          if ('ready' in message) return renderer.send(job);
          renderer.kill();
          if ('tiles' in message) resolve(message.tiles[0]!);
          else reject(new Error(message.error));
        },
        onExit: (how) => reject(new Error(how)),
      },
    );
  });
}

const lightness = (picture: Uint8Array): number[] => {
  const { data } = PNG.sync.read(Buffer.from(picture));
  return Array.from({ length: side * side }, (_, i) => data[4 * i]!);
};

const asTheyCame = [...new Set(findFonts('').flatMap(({ regular, bold }) => [regular, bold]))];

test('renderers draw with the fonts of the build, unless CARTULARY_FAST_FONTS is off', async (t) => {
  const made = drawnFonts('');
  assert.equal(made.length, asTheyCame.length);
  for (const [i, file] of made.entries()) assert.ok(existsSync(file) && file !== asTheyCame[i], file);
  const pool = createRendererPool({ config: poolConfig(), log: keepingLog() });
  t.after(() => pool.close());
  const [picture] = await pool.render(labels());
  assert.ok(Buffer.from(picture!).equals(await drawWith(made, labels())));
  const general = await drawWith(asTheyCame, labels());
  assert.ok(!Buffer.from(picture!).equals(general));
  const plainPool = createRendererPool({ config: poolConfig({ fastFonts: false }), log: keepingLog() });
  t.after(() => plainPool.close());
  assert.ok(Buffer.from((await plainPool.render(labels()))[0]!).equals(Buffer.from(general)));
});

test('labels look the same with both, in every script', async () => {
  const pictures = await Promise.all([drawnFonts(''), asTheyCame].map((fonts) => drawWith(fonts, labels())));
  const [made, came] = pictures.map(lightness);
  assert.ok(came!.filter((value) => value < 128).length > 5_000, 'there are letters');
  const differ = (by: number): number => came!.filter((value, i) => Math.abs(value - made![i]!) > by).length;
  // Pixels where two contours of a letter meet; all else is rounding.
  assert.ok(differ(16) < 400, `${differ(16)} pixels`);
  assert.ok(differ(64) < 20, `${differ(64)} pixels`);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { knownFonts } from '@cartulary/cartocss';
import { createRendererPool } from '../../../src/tiles/render/pool.js';
import { useRendererFonts } from '../../../src/tiles/render/renderer-fonts.js';
import { keepingLog, poolConfig } from '../support.js';

test('styles know the fonts of renderers that start later than the service waits', async (t) => {
  const pool = createRendererPool({ config: poolConfig(), log: keepingLog() });
  t.after(() => pool.close());
  await useRendererFonts(pool, 0);
  assert.ok(knownFonts().includes('DejaVu Sans Book'));
  assert.equal(knownFonts().includes('Noto Sans Regular'), false, 'no renderer has started yet');
  await pool.fonts;
  assert.ok(knownFonts().includes('Noto Sans Regular'));
});

test('without renderers the included fonts stay', async () => {
  const pool = createRendererPool({ config: poolConfig({ renderers: 0 }), log: keepingLog() });
  const before = knownFonts();
  await useRendererFonts(pool);
  assert.equal(knownFonts(), before);
  await pool.close();
});

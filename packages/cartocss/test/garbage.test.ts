import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { checkLayerStyle } from '../src/check.js';
import { compileLayerStyle, compileMapStyle } from '../src/compile.js';
import { renameLayerInStyle } from '../src/edits/rename.js';
import { corpus } from './corpus.js';
import { startDrawer } from './draw.js';
import { extentAt } from './features.js';
import { mutate, tame } from './mutations.js';
import { pick, randomNumbers } from './random-styles.js';
import { layer, options, ourXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

test('garbage is compiled or refused, never anything else', async () => {
  const random = randomNumbers(17);
  const names = Object.getOwnPropertyNames(Object.prototype);
  const compiled: string[] = [];
  for (let i = 0; i < 5000; i++) {
    const start = pick(random, corpus).style;
    const style = i % 2 === 0 ? mutate(random, start) : tame(random, tame(random, start));
    let problems = 0;
    try {
      compileLayerStyle(style, layer, options);
      compiled.push(style);
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'style_invalid', `${error}\n${style}`);
      problems = (error.data.problems as unknown[]).length;
    }
    const found = checkLayerStyle(style, layer, options);
    assert.equal(found.length, problems, style);
    const lines = style.split(/\r\n|\r|\n/);
    for (const { line, column, message } of found) {
      const length = lines[line - 1]?.length ?? -1;
      assert.ok(column >= 1 && column <= length + 1, `${line}:${column} ${message}\n${style}`);
      assert.ok(message.length > 0 && message.length < 300, message);
    }
    assert.equal(renameLayerInStyle(renameLayerInStyle(style, 'x', 'q-q'), 'q-q', 'x'), style);
    try {
      compileMapStyle(style);
    } catch (error) {
      assert.ok(error instanceof ServiceError);
    }
  }
  assert.ok(compiled.length > 500 && compiled.length < 4500, String(compiled.length));
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), names);
  // Mapnik accepts every compiled style.
  for (const style of compiled.slice(0, 400)) {
    const request = { extent: extentAt(8), size: 64, scale: 1, strict: true, xml: ourXml(style, 8) };
    await assert.doesNotReject(drawer.draw(request), style);
  }
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { type Formats, fixture, startFormats } from '../support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats({ CARTULARY_COLUMN_LIMIT: '6' });
});
test.after(() => formats.server.stop());

test('a layer with more columns than can be stored is refused before its rows are read', async () => {
  for (const format of ['parquet', 'fgb', 'gpkg']) {
    const layer = await formats.newLayer();
    const { json } = await formats.send(layer, fixture(`places.${format}`), `x.${format}`);
    // An error of a row would name its feature.
    assert.equal(json.message, 'the file has more than 6 different properties', format);
    assert.deepEqual(json.data, { columns: ['note'] }, format);
    assert.deepEqual(await formats.objects(layer), [], format);
    await formats.assertClean();
  }
});

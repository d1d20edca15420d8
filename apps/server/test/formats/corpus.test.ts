import assert from 'node:assert/strict';
import test from 'node:test';
import { archiveCases } from './corpus/archives.js';
import { geojsonCases } from './corpus/geojson.js';
import { vectorCases } from './corpus/vector.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;
let layer: string;
let before: string;

const state = async (): Promise<string> =>
  JSON.stringify([await formats.objects(layer), await formats.columns(layer)]);

test.before(async () => {
  formats = await startFormats({
    CARTULARY_TEMPORARY_LIMIT: String(64 * 1024 * 1024),
    CARTULARY_IMPORT_LIMIT: String(64 * 1024 * 1024),
    CARTULARY_ARCHIVE_ENTRIES: '50',
  });
  layer = await formats.newLayer({ code: 'name', type: 'string' });
  await formats.load(layer, '{"type":"Feature","geometry":null,"properties":{"name":"before"}}', 'x.geojson');
  before = await state();
});
test.after(() => formats.server.stop());

/** Words that reveal internals of the service. */
const inside = /\/tmp\/|\/job|\bselect |at file:|node_modules|\[object/;

for (const [group, cases] of Object.entries({
  GeoJSON: geojsonCases,
  archives: archiveCases,
  'vector formats': vectorCases,
})) {
  test(`broken and hostile files end with a clear error, and change nothing: ${group}`, async (t) => {
    for (const { what, file, name, says, query } of await cases()) {
      await t.test(what, async () => {
        const { status, text, json } = await formats.send(layer, file, name, query);
        assert.ok(status >= 400, text);
        assert.notEqual(json?.code, 'internal', text);
        const message = json?.message ?? text;
        assert.match(message, says);
        assert.doesNotMatch(message, inside);
        assert.equal(await state(), before);
        await formats.assertClean();
      });
    }
  });
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Geometry } from 'geojson';
import { ownRecord, wholeHead } from './own-archive.js';
import { createRestorer, type Restorer } from './restore.js';

/** A restorer with these records of `whole_texts.csv`. */
function restorerOf(t: TestContext, ...records: unknown[][]): Restorer {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-restore-'));
  const whole = join(folder, 'whole_texts.csv');
  writeFileSync(whole, [[...wholeHead], ...records].map(ownRecord).join(''));
  const named = { title: '', type: 'string' } as const;
  const fields = ['svc_id', 'note'].map((name) => ({ name, code: name, ...named }));
  const restorer = createRestorer({ fields, whole });
  t.after(() => {
    restorer.close();
    rmSync(folder, { recursive: true });
  });
  return restorer;
}

const feature = (svc_id: number, geometry: unknown, properties: object = {}) => ({
  ...{ number: 1, id: undefined, geometry },
  properties: { svc_id, ...properties },
});

test('each of many parts of one geometry is found', (t) => {
  const coordinates = Array.from({ length: 4_000 }, (_, i) => [(i * 7919) % 180, i / 100]);
  const whole: Geometry = { type: 'MultiPoint', coordinates };
  const restorer = restorerOf(t, [5, 'geom', JSON.stringify(whole), '']);
  const point = (i: number) => ({ type: 'Point', coordinates: coordinates[i] });
  assert.deepEqual(restorer.feature(feature(5, point(0)))?.geometry, whole);
  for (let i = 1; i < coordinates.length; i++)
    assert.equal(restorer.feature(feature(-5, point(i))), undefined, `part ${i}`);
  const moved = restorer.feature(feature(-5, { type: 'Point', coordinates: [0.5, 0.5] }));
  assert.equal(moved?.properties.svc_id, null);
});

test('a value is restored once, and a geometry that is none never', (t) => {
  const restorer = restorerOf(
    t,
    [5, 'note', 'a long text', 'a lo'],
    [5, 'geom', '{"type":"Point"}', ''],
    [6, 'geom', '{', ''],
  );
  const notes = [5, 5, 6, -6].map((id) => {
    const restored = restorer.feature(feature(id, { type: 'Point', coordinates: [1, 2] }, { note: 'a lo' }));
    return restored?.properties.note;
  });
  assert.deepEqual(notes, ['a long text', 'a lo', 'a lo', 'a lo']);
});

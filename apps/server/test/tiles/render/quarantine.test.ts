import assert from 'node:assert/strict';
import test from 'node:test';
import { Quarantine, type Suspect } from '../../../src/tiles/render/quarantine.js';

const at = (zoom: number, xmlKey = 'a', columns = 4): Suspect => ({
  xmlKey,
  columns,
  extent: [0, 0, (columns * 40_075_016.68) / 2 ** zoom, 1],
});

test('two kills at a zoom level forbid it for a minute, for every block; other levels and styles are drawn', () => {
  let now = 0;
  const quarantine = new Quarantine(() => now);
  quarantine.condemn(at(5));
  assert.equal(quarantine.remainingMs(at(5)), 0);
  now = 1000;
  quarantine.condemn(at(5, 'a', 1));
  assert.equal(quarantine.remainingMs(at(5)), 60_000);
  assert.equal(quarantine.remainingMs(at(6)), 0);
  assert.equal(quarantine.remainingMs(at(5, 'b')), 0);
  now = 60_999;
  assert.equal(quarantine.remainingMs(at(5)), 1);
  now = 61_000;
  assert.equal(quarantine.remainingMs(at(5)), 0);
  quarantine.condemn(at(5));
  assert.equal(quarantine.remainingMs(at(5)), 0, 'counted anew');
});

test('six kills in all forbid every zoom level', () => {
  const quarantine = new Quarantine(() => 0);
  for (let zoom = 0; zoom < 5; zoom++) quarantine.condemn(at(zoom));
  assert.equal(quarantine.remainingMs(at(20)), 0);
  quarantine.condemn(at(5));
  assert.equal(quarantine.remainingMs(at(20)), 60_000);
});

test('the oldest suspects are forgotten first', () => {
  const quarantine = new Quarantine(() => 0);
  for (let i = 0; i < 5000; i++) for (let kill = 0; kill < 2; kill++) quarantine.condemn(at(3, `style ${i}`));
  assert.equal(quarantine.remainingMs(at(3, 'style 0')), 0);
  assert.equal(quarantine.remainingMs(at(3, 'style 4999')), 60_000);
});

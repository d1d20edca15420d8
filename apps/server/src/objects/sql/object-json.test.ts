import assert from 'node:assert/strict';
import test from 'node:test';
import type { Column, Output } from '@cartulary/columns';
import { filledObject, filledSlice, objectJson } from './object-json.js';

const column = (code: string, type: Column['type'], format: Column['format'] = null): Column =>
  ({ id: 1, code, type, format, localized_value: false }) as Column;

const columns = [
  column('n', 'number', { decimals: 1, suffix: ' m' }),
  column('plain', 'string'),
  column('b', 'bool', { true: 'yes' }),
  column('j', 'json', { template: '{value}' }),
];
const output = (more: Partial<Output>): Output => ({ columns, main: 'en', display: false, ...more });

test('JSON without shown values and extent has no gap, and its bytes are passed on', () => {
  const json = objectJson(output({ geometry: { sr: '4326', centroid: false } }));
  assert.deepEqual([json.parts.length, json.gaps.length], [1, 0]);
  const bytes = Buffer.from('{"id":1}');
  assert.equal(filledSlice(json, bytes), bytes);
  assert.equal(filledObject(json, '{"id":1}'), '{"id":1}');
});

test('values that are shown by a format, and the extent, are gaps; null stays null', () => {
  const json = objectJson(output({ display: true, bbox: '4326' }));
  assert.deepEqual([json.parts.length, json.gaps.length], [7, 3]);
  const parts = ['{"n":', '1.25', ',"b":', 'true', '},"bbox":', '1 2 3 4.5', '}'];
  const filled = '{"n":"1.3 m","b":"yes"},"bbox":{"sw":[2,1],"ne":[4.5,3]}}';
  assert.equal(filledObject(json, JSON.stringify(parts)), filled);
  const empty = parts.map((part, i) => (i % 2 ? null : part));
  const slice = Buffer.from(JSON.stringify([parts, empty]));
  assert.equal(filledSlice(json, slice).toString(), `${filled},{"n":null,"b":null},"bbox":null}`);
  assert.equal(filledSlice(json, Buffer.alloc(0)).length, 0, 'a slice whose objects were all deleted');
});

test('numbers that JSON does not have are shown', () => {
  const { gaps } = objectJson(output({ display: true }));
  assert.equal(gaps[0]!('NaN'), '"NaN m"');
  assert.equal(gaps[0]!('-Infinity'), '"-∞ m"');
});

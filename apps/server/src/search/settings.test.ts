import assert from 'node:assert/strict';
import test from 'node:test';
import type { Column } from '@cartulary/columns/internal/column.js';

import { readSettings, searchedColumns, wholeLayer } from './settings.js';

const column = (code: string, type: Column['type']): Column => ({
  id: code.charCodeAt(0),
  parent_id: null,
  code,
  name: '',
  names: {},
  localized_name: false,
  localized_value: false,
  required: false,
  type,
  format: null,
  sort: 1,
});

const all = [
  column('svc_id', 'number'),
  column('geom', 'geom'),
  column('t', 'text'),
  column('a', 'string'),
  column('n', 'number'),
  column('b', 'string'),
  column('j', 'json'),
];

const codes = (setting: { columns?: string[]; name_column?: string }, limit = 10) => {
  const found = searchedColumns(all, { columns: undefined, name_column: undefined, ...setting }, limit);
  return found && [found.columns.map(({ code }) => code), found.name.code];
};

test('without columns in its setting a layer is searched in all its texts, the first string being the name', () => {
  assert.deepEqual(
    searchedColumns(all, wholeLayer('l'), 10)?.columns.map(({ code }) => code),
    ['t', 'a', 'b'],
  );
  assert.deepEqual(codes({}), [['t', 'a', 'b'], 'a']);
  assert.deepEqual(codes({}, 2), [['t', 'a'], 'a']);
});

test('columns that are not there or hold no text are passed over; the name may be of another type', () => {
  assert.deepEqual(codes({ columns: ['b', 'x', 'n', 'j', 'geom', 'b', 't'], name_column: 'n' }), [
    ['b', 't'],
    'n',
  ]);
  assert.deepEqual(codes({ columns: ['b'], name_column: 'j' }), [['b'], 'a']);
  assert.deepEqual(codes({ columns: ['b'], name_column: 'x' }), [['b'], 'a']);
  assert.equal(codes({ columns: ['x'] }), undefined);
  assert.equal(codes({ columns: [] }), undefined);
  assert.equal(searchedColumns(all.slice(0, 2), wholeLayer('l'), 10), undefined);
});

test('settings without their form are passed over; without an array there are none', () => {
  for (const none of [undefined, null, {}, 'x', 5]) assert.equal(readSettings(none), undefined);
  assert.deepEqual(readSettings([]), []);
  assert.deepEqual(
    readSettings([
      null,
      'x',
      [],
      {},
      { layer: 5 },
      { layer: 'a' },
      { layer: 'b', columns: ['c', 5], name_column: 7 },
    ]),
    [wholeLayer('a'), { layer: 'b', columns: ['c'], name_column: undefined }],
  );
});

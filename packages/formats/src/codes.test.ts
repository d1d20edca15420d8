import assert from 'node:assert/strict';
import test from 'node:test';
import { columnCodeFor } from './codes.js';

const none = new Set<string>();

test('a name becomes a code', () => {
  for (const [name, code] of [
    ['name', 'name'],
    ['NAME_ru', 'NAME_ru'],
    ['a__b', 'a__b'],
    ['Население', 'naselenie'],
    ['Съезд, объём (тыс.)', 'sezd_obem_tys'],
    ['Щёлково', 'shchelkovo'],
    ['Їжак', 'yizhak'],
    ['Été à Łódź', 'Ete_a_lodz'],
    ['e\u0301te\u0301', 'ete'],
    ['Straße', 'Strasse'],
    ['Αθήνα', 'athina'],
    ['name:en', 'name_en'],
    ['2020', '_2020'],
    ['½', '_1_2'],
    ['人口', 'field_3'],
    ['', 'field_3'],
    ['🏙', 'field_3'],
    ['"; drop table x; --', 'drop_table_x'],
    ["d'Or", 'dOr'],
    ['__proto__', 'proto'],
    ['constructor', 'constructor'],
    ['svc_id', 'svc_id_1'],
    ['geom', 'geom_1'],
    ['x'.repeat(60), 'x'.repeat(44)],
  ] as const) {
    assert.equal(columnCodeFor(name, 3, none), code, name);
  }
});

test('a code that is taken gets a number and stays within 44 characters', () => {
  const taken = new Set(['a', 'a_1', 'x'.repeat(44)]);
  assert.equal(columnCodeFor('a', 1, taken), 'a_2');
  assert.equal(columnCodeFor('x'.repeat(50), 1, taken), `${'x'.repeat(42)}_1`);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { kmlGeometry } from './kml-geometry.js';
import type { XmlNode } from './xml.js';

const node = (name: string, text: string, children: XmlNode[] = []): XmlNode => ({
  name,
  attributes: {},
  text,
  children,
});

const lineOf = (coordinates: string) =>
  kmlGeometry(node('Placemark', '', [node('LineString', '', [node('coordinates', coordinates)])]), () => {});

test('tuples with blanks before, behind and around their commas', () => {
  for (const text of ['1,2 3,4,5', '\n1, 2\t3 ,4 ,\r\n5  ', ' 1 , 2 3,4, 5'])
    assert.deepEqual(lineOf(text), {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4, 5],
      ],
    });
  assert.equal(lineOf(' \n'), null);
  for (const text of [',1,2', '1', '1,,2', '1;2', ','.repeat(1_000_000), `1${' '.repeat(1_000_000)}2`])
    assert.throws(() => lineOf(text), { code: 'value_invalid' });
});

test('more positions than a geometry may have are refused while they are read', () => {
  assert.throws(() => lineOf('1,2 '.repeat(2_000_001)), { message: /more than 2000000 positions/ });
});

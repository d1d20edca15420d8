import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';
import { checkLayerStyle, readStyle } from '../src/check.js';
import type { StyleProperty } from '../src/properties.js';
import { properties } from '../src/properties.js';
import { startDrawer } from './draw.js';
import { extentAt } from './features.js';
import { styleWith, valuesOf } from './property-styles.js';
import { layer, options, ourXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

interface Reference {
  css?: string;
  type: string | string[];
  expression?: boolean;
}
type References = Record<string, Reference>;
const reference = createRequire(import.meta.url)('mapnik-reference') as {
  load(version: string): { symbolizers: Record<string, References>; style: References };
};
const { symbolizers, style } = reference.load('3.0.22');

/** Properties of the reference that are not supported: paths, locations on the server, and settings of XML only. */
const unsupported = [
  'background-image',
  'background-image-comp-op',
  'background-image-opacity',
  'srs',
  'maximum-extent',
  'base',
  'font-directory',
];

test('every property of the reference is known, with the same name and kind', () => {
  const all = [...Object.values(symbolizers), style].flatMap((group) => Object.values(group));
  const named = all.filter(
    (entry) => entry.css !== undefined && entry.css !== '' && !unsupported.includes(entry.css),
  );
  assert.ok(named.length > 200);
  for (const { css = '', type } of named) {
    const property = properties.get(css);
    assert.ok(property !== undefined, css);
    if (Array.isArray(type) && property.type.kind === 'keyword') {
      // Lists of placements can only be written in XML.
      const { values } = property.type;
      const missing = type.filter((value) => value !== 'list' && !values.includes(value));
      assert.deepEqual(missing, [], css);
    } else if (type === 'float') assert.equal(property.type.kind, 'number', css);
    else if (type === 'color' || type === 'boolean') assert.equal(property.type.kind, type, css);
  }
  const names = new Set(named.map((entry) => entry.css));
  for (const name of properties.keys()) assert.ok(names.has(name), name);
});

test('Mapnik knows every property and accepts all written values', async () => {
  for (const property of properties.values()) {
    if (property.symbolizer === 'map') continue;
    for (const value of valuesOf(property)) {
      const text = styleWith(property, value);
      assert.deepEqual(checkLayerStyle(text, layer, options), [], text);
      const picture = drawer.draw({
        extent: extentAt(8),
        size: 64,
        scale: 1,
        strict: true,
        xml: ourXml(text, 8),
      });
      await assert.doesNotReject(picture, text);
    }
  }
});

test('numbers out of their range are refused, for all properties', () => {
  for (const property of properties.values()) {
    if (property.type.kind !== 'number') continue;
    for (const value of [property.type.min - 1, property.type.max * 2 + 1]) {
      const text =
        property.symbolizer === 'map'
          ? `Map { ${property.name}: ${value} }`
          : styleWith(property, String(value));
      const problems =
        property.symbolizer === 'map'
          ? readStyle(text, undefined).problems
          : checkLayerStyle(text, layer, options);
      assert.match(problems[0]?.message ?? '', /must be from/, text);
    }
  }
});

/** Values that each type of property refuses. */
const refusedValues: Record<StyleProperty['type']['kind'], string[]> = {
  number: ['red', 'true', 'url(star)', '"abc"', '5, 3', 'stop(1, red)', 'auto', '"[pop"', '1 2'],
  boolean: ['red', '5', 'yes', '"maybe"', 'url(star)', 'null'],
  color: ['5', 'true', 'redd', '"#12"', 'url(star)', 'round', '"5"', 'red blue'],
  keyword: ['nothing-like-this', '5', 'red', 'url(star)', '"bevell"', 'true'],
  presence: ['5', 'maybe', 'red', '"none"', '[a]', 'true'],
  dashes: ['-1, .5', '0, 0', 'red', '[pop]', '5, x', '0.01, 0.01', '5000', '5%'],
  transform: [
    '5',
    'red',
    'scale(1000)',
    'rotate()',
    'matrix(1, 2)',
    'translate(1e6, 0)',
    '"rotate(20"',
    'skewX(89.9)',
    'blur()',
  ],
  filters: [
    '5',
    'red',
    'agg-stack-blur(1000, 1)',
    'agg-stack-blur(1)',
    'nothing()',
    'url(star)',
    'rotate(5)',
    'colorize-alpha(5)',
  ],
  label: ['name', 'red', 'url(star)', '"[name"', '"[name] [pop]"', 'none', '"f([name])"', '"\'open"', 'true'],
  font: ['"Arial"', 'DejaVu Sans Book', '[name]', '5', '"DejaVu Sans Book", 5'],
  icon: [
    'url(/etc/passwd)',
    'url(../star)',
    'url(http://example.org/a.png)',
    '[name]',
    '"[name]"',
    '5',
    'red',
    'url(star.svg)',
  ],
  stops: ['5', 'red', 'stop()', 'stop(red)', 'stop(1, 5)', 'stop(1, red, soft)', 'rotate(5)'],
  character: ['"ab"', '5', 'a', '""', '"["'],
  placements: ['"Q"', '5', '"N,5000"', '"10,N"', 'N'],
  'font-features': ['"("', '5', '"toolong=1"', 'liga'],
};

test('no property takes a value of the wrong kind', () => {
  for (const property of properties.values()) {
    if (property.symbolizer === 'map') continue;
    for (const value of refusedValues[property.type.kind]) {
      const text = styleWith(property, value);
      assert.ok(checkLayerStyle(text, layer, options).length > 0, text);
    }
  }
});

test('properties without expressions refuse them', () => {
  for (const property of properties.values()) {
    const { kind } = property.type;
    if (property.expression || property.symbolizer === 'map' || kind === 'icon' || kind === 'transform')
      continue;
    const text = styleWith(property, '[pop] + 1');
    assert.ok(checkLayerStyle(text, layer, options).length > 0, text);
  }
});

import assert from 'node:assert/strict';
import test from 'node:test';
import type { StyleLayer } from './check.js';
import { compileLayerStyle, compileMapStyle } from './compile.js';
import type { ColumnKind } from './values/convert.js';

const columns = new Map<string, ColumnKind>([
  ['pop', 'number'],
  ['name', 'text'],
  ['flag', 'boolean'],
  ['color', 'text'],
]);
const layer: StyleLayer = { code: 'x', classes: ['point'], columns };
const compile = (text: string) => compileLayerStyle(text, layer);

test('the columns that a style reads, altogether and at a zoom level', () => {
  const compiled = compile(
    '#x[zoom>=5] { line-width: [pop] / 2; line-color: [color]; } #x[zoom>=10] { text-name: "[name] + 1"; [flag=true] { text-size: 12 } }',
  );
  assert.deepEqual(compiled.columns, ['color', 'flag', 'name', 'pop']);
  assert.deepEqual(compiled.columnsAt(4), []);
  assert.deepEqual([compiled.labelColumnsAt(5), compiled.labelColumnsAt(12)], [[], ['name']]);
  assert.deepEqual(compiled.columnsAt(5), ['color', 'pop']);
  assert.deepEqual(compiled.columnsAt(12), ['color', 'flag', 'name', 'pop']);
  assert.deepEqual(compile('#x["mapnik::geometry_type"=point] { marker-transform: rotate([pop]) }').columns, [
    'pop',
  ]);
});

test('classes for kinds of geometry select the objects of that kind', () => {
  const xml = (text: string): string =>
    compileLayerStyle(text, { ...layer, classes: [] })
      .styles.map((style) => style.xml.replace(/ name="[^"]*"/, ''))
      .join('');
  const kinds = { point: 'point', line: 'linestring', polygon: 'polygon' };
  for (const [name, kind] of Object.entries(kinds)) {
    assert.equal(
      xml(`.${name} { line-width: 1 }`),
      xml(`["mapnik::geometry_type" = ${kind}] { line-width: 1 }`),
    );
    const both = `#x { &.${name}::a { line-width: 2 } }`;
    assert.equal(xml(both), xml(both.replace(`.${name}`, `["mapnik::geometry_type" = ${kind}]`)));
  }
  assert.equal(xml('.raster { raster-opacity: 0.5 }'), xml('#x { raster-opacity: 0.5 }'));
  assert.equal(compile('.point { line-width: 1 }').filterAt(3), 'all', 'a class of the layer itself');
  assert.throws(() => xml('.point.line { line-width: 1 }'), /its filters exclude each other/);
});

test('visible zoom levels', () => {
  const compiled = compile(
    '#x[zoom>=5][zoom<8] { line-width: 1 } #x[zoom=12] { line-width: 2 } #x[zoom=3] { line: none }',
  );
  const visible = Array.from({ length: 26 }, (_, zoom) => zoom).filter((zoom) => compiled.visibleAt(zoom));
  assert.deepEqual(visible, [5, 6, 7, 12]);
  assert.equal(compiled.filterAt(9), 'none');
});

test('the filter of a style', () => {
  const at = (text: string, zoom = 10) => compile(text).filterAt(zoom);
  assert.deepEqual(at('#x { line-width: 1 }'), 'all');
  assert.deepEqual(at("#x[name='a'] { line-width: 1 }"), {
    kind: 'compare',
    column: 'name',
    op: '=',
    value: 'a',
  });
  assert.deepEqual(at("#x[name='a'] { line-width: 1 } #x[name='b'] { line-width: 2 }"), {
    kind: 'in',
    column: 'name',
    values: ['b', 'a'],
  });
  assert.deepEqual(at("#x[name='a'][pop>5] { line-width: 1 } #x[flag=true] { polygon-fill: red }"), {
    kind: 'or',
    terms: [
      { kind: 'compare', column: 'flag', op: '=', value: true },
      {
        kind: 'and',
        terms: [
          { kind: 'compare', column: 'name', op: '=', value: 'a' },
          { kind: 'compare', column: 'pop', op: '>', value: 5 },
        ],
      },
    ],
  });
  assert.deepEqual(at("#x[name!='a'] { line-width: 1 }"), {
    kind: 'compare',
    column: 'name',
    op: '!=',
    value: 'a',
  });
  assert.deepEqual(at('#x[pop!=5] { line-width: 1 }'), {
    kind: 'compare',
    column: 'pop',
    op: '!=',
    value: 5,
  });
  // What SQL could decide otherwise than Mapnik is left out.
  assert.deepEqual(at('#x[pop!=0.1] { line-width: 1 }'), 'all');
  assert.deepEqual(at("#x[name>'a'] { line-width: 1 }"), 'all');
  assert.deepEqual(at("#x[name=~'a.*'] { line-width: 1 }"), 'all');
  assert.deepEqual(at('#x[pop=0.1] { line-width: 1 }'), 'all');
  assert.deepEqual(at('#x[[pop]*2>5] { line-width: 1 }'), 'all');
  assert.deepEqual(at('#x[pop!=null] { line-width: 1 }'), { kind: 'not-null', column: 'pop' });
  const unknown = compileLayerStyle('#x[pop=5] { line-width: 1 }', { ...layer, columns: undefined });
  assert.equal(unknown.filterAt(3), 'all');
});

test('the margin of a style', () => {
  const size = (text: string): number => {
    const { x, y } = compile(text).aroundAt(9);
    assert.equal(x, y);
    return x;
  };
  assert.equal(size('#x { polygon-fill: #333 }'), 8);
  assert.equal(size('#x { line-width: 6 }'), 14);
  assert.equal(size('#x { line-width: 1; line-smooth: 1 }'), 64);
  assert.equal(size('#x { polygon-fill: #333; [zoom > 9] { text-name: [name] } }'), 8);
  assert.equal(size('#x { line-width: 100; line-offset: 20 }'), 120);
  assert.equal(size('#x { text-name: [name]; text-wrap-width: 50 }'), 192);
  assert.equal(size('#x { text-name: [name]; text-placement: line; text-size: 20; text-dy: -30 }'), 238);
  assert.equal(size('#x { marker-width: 200 }'), 100);
  assert.equal(size('#x { marker-width: [pop] }'), 64);
  assert.equal(size('#x { marker-width: 1000 }'), 256);
  assert.equal(size('#x { line-width: 1; image-filters: agg-stack-blur(40, 40) }'), 81);
});

test('level labels have a smaller vertical margin', () => {
  const at = (text: string) => compile(`#x { text-name: [name]; ${text} }`).aroundAt(9);
  assert.deepEqual(at(''), { x: 192, y: 64 });
  assert.deepEqual(at('text-size: 20; text-dy: -30; text-halo-radius: 2'), { x: 238, y: 110 });
  assert.deepEqual(at('line-width: 300'), { x: 256, y: 256 });
  for (const other of [
    'text-orientation: 90',
    'text-margin: 5',
    'text-placement: vertex',
    'text-wrap-width: 9',
  ])
    assert.deepEqual(at(other), { x: 192, y: 192 }, other);
});

test('equal styles are compiled once, different ones have different hashes', () => {
  const text = '#x { marker-file: url(a); marker-width: 5 }';
  const icons = new Map([['a', '/icons/a.svg']]);
  const first = compileLayerStyle(text, layer, { icons });
  assert.equal(compileLayerStyle(text, { ...layer, columns: new Map(columns) }, { icons }), first);
  // Icons are looked at as they are now: the registry may change.
  icons.set('b', '/icons/b.svg');
  assert.equal(compileLayerStyle(text, layer, { icons }), first);
  icons.set('a', '/icons/a2.svg');
  const changed = compileLayerStyle(text, layer, { icons });
  assert.notEqual(changed.hash, first.hash);
  assert.match(changed.styles[0]?.xml ?? '', /file="\/icons\/a2.svg"/);
  icons.delete('a');
  assert.throws(() => compileLayerStyle(text, layer, { icons }), { code: 'style_invalid' });
  assert.notEqual(compile('#x { line-width: 1 }').hash, compile('#x { line-width: 2 }').hash);
  assert.notEqual(
    compile('#layer { line-width: 1 }').hash,
    compileLayerStyle('#layer { line-width: 1 }', { ...layer, code: 'y' }).hash,
  );
});

test('settings of Map{}', () => {
  assert.deepEqual(
    compileMapStyle('@c: #123; Map { background-color: fadeout(@c, 50%); buffer-size: 96px }'),
    {
      backgroundColor: 'rgba(17, 34, 51, 0.5)',
      bufferSizePx: 96,
    },
  );
  assert.deepEqual(compileMapStyle(''), {});
  assert.deepEqual(compileMapStyle('Map { background-color: red } Map { background-color: blue }'), {
    backgroundColor: '#0000ff',
  });
  assert.deepEqual(compile('Map { background-color: red } #x { line-width: 1 }').map, {
    backgroundColor: '#ff0000',
  });
});

test('opacity that changes with the zoom level makes a style of each', () => {
  const compiled = compile('#x { line-width: 1; opacity: .5; [zoom>=10] { opacity: .8 } }');
  assert.deepEqual(
    compiled.rules.map(({ settings, rules }) => [
      settings.get('opacity')?.attribute.text,
      rules[0]?.first,
      rules[0]?.last,
    ]),
    [
      ['0.5', 0, 9],
      ['0.8', 10, 25],
    ],
  );
});

test('a style without rules draws nothing', () => {
  const compiled = compile('#x { } // nothing');
  assert.deepEqual(compiled.styles, []);
  assert.equal(compiled.visibleAt(10), false);
});

test('a raster of values has default colours', () => {
  const stops = [{ value: '5', color: '#000000', mode: 'linear' }];
  const xmlOf = (css: string, layer = { code: 'a', classes: [], columns: undefined, stops }): string =>
    compileLayerStyle(css, layer)
      .styles.map(({ xml }) => xml)
      .join('');
  assert.match(
    xmlOf('#a { raster-opacity: 0.5; }'),
    /<RasterSymbolizer opacity="0.5"><stop value="5" color="#000000" mode="linear"\/>/,
  );
  const own = xmlOf('#a { raster-colorizer-stops: stop(1, red); }');
  assert.match(own, /<stop value="1"/);
  assert.doesNotMatch(own, /value="5"/);
  assert.doesNotMatch(xmlOf('#a { line-width: 1; }'), /<stop/);
  const other = { code: 'a', classes: [], columns: undefined, stops: [{ ...stops[0]!, value: '6' }] };
  assert.match(xmlOf('#a { raster-opacity: 0.5; }', other), /value="6"/);
});

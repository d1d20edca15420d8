import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';
import { escapeXml, mapXml } from './xml.js';

test('every character with a meaning in XML is escaped, once', () => {
  assert.equal(
    escapeXml(`a&b<c>d"e'f\ng\th\r&amp;`),
    'a&amp;b&lt;c&gt;d&quot;e&apos;f&#10;g&#9;h&#13;&amp;amp;',
  );
  assert.equal(escapeXml('имя 日本 😀'), 'имя 日本 😀');
});

test('the XML of a map', () => {
  const layer = { code: 'x', classes: [], columns: undefined };
  const compiled = compileLayerStyle(
    `#x[zoom>=5][zoom<8][name='a&"b'] { line-width: 2; text-name: '<' + [n] }`,
    layer,
  );
  const xml = mapXml({
    layers: [
      {
        name: 'L&1',
        srs: 'epsg:4326',
        datasource: { type: 'postgis', password: '', max_size: 4, persist: false, table: '(a < b)' },
        compiled,
        opacity: 0.5,
        minZoom: 2,
        maxZoom: 9,
      },
    ],
    backgroundColor: '#fff',
    bufferSizePx: 64,
  });
  const name = `x::0:${compiled.hash.slice(0, 16)}`;
  const fonts = compiled.fontSets[0]?.name;
  assert.equal(
    xml,
    `<?xml version="1.0" encoding="utf-8"?>
<Map srs="epsg:3857" buffer-size="64" background-color="#fff"><FontSet name="${fonts}"><Font face-name="DejaVu Sans Book"/></FontSet>
<Style name="${name}" filter-mode="first"><Rule><MaxScaleDenominator>25000000</MaxScaleDenominator><MinScaleDenominator>3000000</MinScaleDenominator><Filter>[name] = &apos;a&amp;&quot;b&apos;</Filter><LineSymbolizer stroke-width="2"/><TextSymbolizer fontset-name="${fonts}">&apos;&lt;&apos;+[n]</TextSymbolizer></Rule></Style>
<Layer name="L&amp;1" srs="epsg:4326" maximum-scale-denominator="200000000" minimum-scale-denominator="750000" opacity="0.5"><StyleName>${name}</StyleName><Datasource><Parameter name="type">postgis</Parameter><Parameter name="password"/><Parameter name="max_size">4</Parameter><Parameter name="persist">false</Parameter><Parameter name="table">(a &lt; b)</Parameter></Datasource></Layer></Map>`,
  );
});

import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { assertPicture } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeScene, type SceneLayer, sceneLayers, tile } from './scene.js';

let server: TestServer;
let ids: Record<SceneLayer, number>;
before(async () => {
  server = await startServer();
  ids = await makeScene(server);
});
after(() => server?.stop());

const place = [3, 4, 4] as const;
const face = 'text-face-name: "DejaVu Sans Book"';
const quiet: Record<SceneLayer, string> = {
  land: 'polygon-fill: #e8eee0; line-color: #b8c8b0; line-width: 1;',
  roads: 'line-color: #d0c0b0; line-width: 2;',
  places: '',
};

/** The style of each layer; other layers are quiet. The table contains every symbolizer and every property of whole styles. */
const styles: Record<string, Partial<Record<SceneLayer, string>> & { query?: string }> = {
  // polygons
  'polygon-pattern': {
    land: "polygon-fill: #eef6e4; [kind = 'wood'] { polygon-pattern-file: url(park); polygon-pattern-opacity: 0.5; } [kind = 'town'] { polygon-pattern-file: url(building); polygon-pattern-alignment: global; }",
  },
  'polygon-smooth': {
    land: 'polygon-fill: #74a892; polygon-smooth: 0.6; polygon-opacity: 0.7; polygon-gamma: 0.8;',
  },
  building: {
    land: "building-fill: #c9b8a8; building-height: 14; building-fill-opacity: 0.9; [kind = 'town'] { building-height: 30; }",
  },
  // lines
  'line-joins': {
    roads:
      'line-color: #a33; line-width: 9; line-join: bevel; line-cap: square; line-opacity: 0.7; [lanes = 2] { line-join: round; line-cap: round; line-dasharray: 14, 12; } [lanes = 1] { line-offset: 10; line-smooth: 0.8; }',
  },
  'line-pattern': {
    roads:
      'line-pattern-file: url(arrow); [lanes = 2] { line-pattern-file: url(rail); line-pattern-opacity: 0.6; }',
  },
  // points
  'markers-ellipse': {
    places:
      'marker-width: 26; marker-height: 14; marker-fill: #36a; marker-fill-opacity: 0.6; marker-line-color: #fff; marker-line-width: 3; marker-transform: rotate(30); marker-allow-overlap: true;',
  },
  'markers-arrow': {
    roads:
      'line-color: #888; marker-type: arrow; marker-placement: line; marker-spacing: 40; marker-width: 12; marker-fill: #c33; marker-line-width: 0;',
  },
  'markers-icon': {
    places:
      'marker-file: url(city); marker-width: 30; marker-fill: #426; marker-allow-overlap: true; [people < 50000] { marker-file: url(village); marker-fill: #b55; marker-width: 22; }',
    land: 'polygon-fill: #eee; marker-file: url(park); marker-placement: interior; marker-fill: #2a6; marker-width: 26;',
  },
  point: {
    places:
      'point-file: url(star); point-allow-overlap: true; point-opacity: 0.8; point-transform: scale(2);',
  },
  dot: { places: 'dot-fill: #d22; dot-width: 9; dot-height: 9; dot-opacity: 0.8;' },
  // texts
  'text-places': {
    places: `marker-width: 8; ::l { text-name: [name]; ${face}; text-size: 13; text-fill: #222; text-halo-fill: #fff; text-halo-radius: 2; text-placement-type: simple; text-placements: "N,S,E,W,11"; text-dx: 8; text-dy: 8; }`,
  },
  'text-line': {
    roads: `line-color: #bbb; line-width: 8; text-name: "[lanes] + ' lanes'"; ${face}; text-size: 11; text-placement: line; text-fill: #035; text-spacing: 120; text-max-char-angle-delta: 30;`,
  },
  'text-interior': {
    land: `polygon-fill: #eef; text-name: [kind]; text-face-name: "DejaVu Serif Bold", "DejaVu Sans Book"; text-size: 18; text-placement: interior; text-transform: uppercase; text-character-spacing: 3; text-opacity: 0.8; text-fill: #146;`,
  },
  'text-wrap': {
    places: `text-name: [name]; ${face}; text-size: 13; text-wrap-width: 50; text-line-spacing: 4; text-fill: #600; text-halo-fill: #ffec99; text-halo-radius: 1; text-allow-overlap: true; text-horizontal-alignment: middle;`,
  },
  shield: {
    places:
      'shield-file: url(square); shield-name: [people] / 1000; shield-face-name: "DejaVu Sans Bold"; shield-size: 9; shield-fill: #fff; shield-transform: scale(2.4); shield-placement-type: dummy;',
  },
  'shield-line': {
    roads:
      'line-color: #c96; line-width: 4; shield-file: url(circle); shield-name: [lanes]; shield-face-name: "DejaVu Sans Bold"; shield-size: 10; shield-fill: #fff; shield-placement: line; shield-spacing: 70; shield-transform: scale(1.6);',
  },
  // a style as a whole
  'comp-op': {
    places:
      'marker-width: 90; marker-fill: #f00; marker-line-width: 0; marker-allow-overlap: true; comp-op: multiply;',
    land: "polygon-fill: #9cf; comp-op: src-over; [kind = 'wood'] { polygon-fill: #fc9; }",
  },
  opacity: {
    places:
      'marker-width: 60; marker-fill: #063; marker-line-width: 0; marker-allow-overlap: true; opacity: 0.4;',
  },
  filters: {
    places:
      'marker-width: 40; marker-fill: #d4f; marker-line-width: 0; marker-allow-overlap: true; image-filters: agg-stack-blur(6, 6); image-filters-inflate: true;',
  },
  'direct-filters': {
    land: "polygon-fill: #e64; [kind = 'wood'] { polygon-fill: #48c; } ",
    roads: 'line-color: #000; line-width: 4; direct-image-filters: invert();',
  },
  attachments: {
    roads:
      '::case { line-color: #333; line-width: 12; line-join: round; } ::fill { line-color: #fd5; line-width: 8; line-join: round; } ::middle { line-color: #fff; line-width: 1; line-dasharray: 6, 6; }',
  },
  instances: {
    places:
      'a/marker-width: 30; a/marker-fill: #fff; a/marker-line-color: #246; a/marker-line-width: 3; a/marker-allow-overlap: true; b/marker-width: 12; b/marker-fill: #246; b/marker-line-width: 0; b/marker-allow-overlap: true;',
  },
  expressions: {
    places:
      'marker-width: pow([people] / 1000, 0.5); marker-fill: #b54; marker-allow-overlap: true; [name =~ ".*view.*"] { marker-fill: lighten(spin(#b54, 180), 20%); }',
  },
  retina: {
    query: 'retina=2',
    places: 'marker-file: url(town-hall); marker-width: 20; marker-fill: #336; marker-allow-overlap: true;',
    roads: 'line-color: #a63; line-width: 3;',
  },
  palette: {
    query: 'q=1',
    places: 'marker-width: 70; marker-fill: #08c; marker-fill-opacity: 0.5; marker-allow-overlap: true;',
  },
};

for (const [name, { query = '', ...own }] of Object.entries(styles)) {
  test(`symbols: ${name}`, async () => {
    for (const code of sceneLayers) {
      const body = own[code] ?? quiet[code];
      await server.admin('PATCH', `/scene/layers/${code}/`, { css_style: body && `#${code} { ${body} }` });
    }
    const layers = `layers=${ids.land},${ids.roads},${ids.places}`;
    const { status, bytes, text } = await tile(server, 'scene', place, `${layers}&${query}`);
    assert.equal(status, 200, text);
    assertPicture(`symbol-${name}`, bytes);
  });
}

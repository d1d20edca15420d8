import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import test from 'node:test';
import { startServer } from '../support/server.js';

test('the demo world is complete, published, in two languages, and answers while it loads', async (t) => {
  const server = await startServer({ CARTULARY_DEMO: '1' });
  t.after(() => server.stop());
  const early = await server.request('GET', '//readyz');
  assert.equal(early.status, 200);
  await server.server.demo;

  const map = await server.request('GET', '/world/');
  assert.equal(map.json.has_publication, true, 'the public may view it');
  const count = async (layer: string): Promise<number> =>
    (await server.request('GET', `/world/layers/${layer}/count/?precise=true`)).json;
  assert.equal(await count('countries'), 255);
  assert.equal(await count('cities'), 135_233);

  const name = async (lng: string): Promise<string> => {
    const path = `/world/layers/countries/objects/?fields=name,iso_a2&fcode=iso_a2&fval=DE&lng=${lng}`;
    return (await server.request('GET', path)).json[0].fields.name;
  };
  assert.equal(await name('en'), 'Germany');
  assert.equal(await name('ru'), 'Германия');
  const city = await server.request(
    'GET',
    '/world/layers/cities/objects/?fields=name,population&sort=population,d&limit=1',
  );
  assert.deepEqual(city.json[0].fields, { name: 'Shanghai', population: 22_315_474 });

  const tile = await server.request('GET', '//tms/demo/world/?z=4&x=9&y=10');
  assert.equal(tile.status, 200);
  assert.equal(tile.headers.get('content-type'), 'image/png');
  const russian = await server.request('GET', '//tms/demo/world/?z=4&x=9&y=10&lng=ru');
  assert.notDeepEqual(russian.bytes, tile.bytes, 'labels follow the language');

  const legends = [
    'density',
    'cities_by_country',
    'city_sizes',
    'city_shares',
    'city_bars',
    'city_lines',
    'city_heat',
    'city_hexagons',
  ];
  for (const [i, code] of legends.entries()) {
    const legend = (await server.request('GET', `/${code}/layers/shown/legend/?lng=ru`)).json;
    assert.equal(
      legend.type,
      i < 7 ? i + 1 : 'hexbin',
      `${code} is a map of its own kind, that the public may view`,
    );
    assert.ok(legend.count > 100 && /[а-я]/.test(legend.name), `${code}: ${legend.name}, ${legend.count}`);
    const drawn = await server.request('GET', `//tms/demo/${code}/?z=1&x=1&y=1`);
    assert.equal(drawn.status, 200, code);
    if (process.env.DEMO_PICTURES) writeFileSync(`${process.env.DEMO_PICTURES}-${code}.png`, drawn.bytes);
  }
});

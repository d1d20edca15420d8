import { equal, rule, status } from '../../rules.js';
import { holds } from './names.js';

for (const container of ['layers', 'folders'])
  for (const code of ['x'.repeat(63), 'a-b_C9', '_x'])
    rule(
      'Containers',
      `decided: a code ${code.slice(0, 8)} (${code.length}) of ${container} is taken`,
      async (c) => {
        const map = await c.map();
        holds(await c.make(`${map}${container}/`, { code }), { code });
        equal((await c.send('GET', `${map}${container}/${code}/`)).json?.code, code, 'found by it');
      },
    );
for (const container of ['layers', 'folders'])
  for (const code of ['x'.repeat(64), 'a b', 'a/b', 'слой', '', 'a.b'])
    rule(
      'Containers',
      `decided: a code '${code.slice(0, 8)}' (${code.length}) of ${container} is refused`,
      async (c) => {
        const answer = await c.send('POST', `${await c.map()}${container}/`, { code });
        status(answer, 500);
        equal(answer.json.code, 'code_invalid', 'code of the error');
      },
    );
rule('Containers', 'decided: a code of a folder may start with a digit', async (c) =>
  holds(await c.make(`${await c.map()}folders/`, { code: '1a' }), { code: '1a' }),
);
rule('Containers', 'a code is unique within the map: another map may have it', async (c) => {
  const [one, other] = [await c.map(), await c.map()];
  const codes = [
    await c.make(`${one}layers/`, { code: 'a' }),
    await c.make(`${other}layers/`, { code: 'a' }),
  ];
  equal([codes[0].code, codes[1].code, codes[0].id === codes[1].id], ['a', 'a', false], 'codes, the same id');
});
for (const [container, method] of [
  ['layers', 'PATCH'],
  ['folders', 'PUT'],
] as const)
  rule('Containers', `decided: ${method} ${container}/ to a taken code is refused`, async (c) => {
    const map = await c.map();
    await c.make(`${map}layers/`, { code: 'taken' });
    const { parent_id } = await c.make(`${map}${container}/`, { code: 'a' });
    const answer = await c.send(method, `${map}${container}/a/`, { parent_id, code: 'taken' });
    status(answer, 500);
    equal(answer.json.code, 'code_taken', 'code of the error');
  });
rule('Containers', 'decided: maps, folders and layers have ids of one sequence', async (c) => {
  const map = await c.map();
  const { id } = (await c.send('GET', map)).json;
  const ids = [id, (await c.make(`${map}folders/`, {})).id, (await c.make(`${map}layers/`, {})).id];
  equal([new Set(ids).size, ids.every(Number.isInteger)], [3, true], 'different ids, integers');
});
rule('Containers', 'a name that has no language at all falls back to the code', async (c) => {
  const map = await c.map();
  const body = { code: 'a', localized_name: true, name: {} };
  equal((await c.make(`${map}layers/`, body)).name, 'a', 'name');
});
rule('Containers', 'a name that is not localized is the same in every language', async (c) => {
  const layer = await c.layer();
  await c.send('PATCH', layer, { name: 'River' });
  equal((await c.send('GET', `${layer}?lng=ru`)).json.name, 'River', 'name');
});
for (const lng of ['x', 'english!', '12'])
  rule('Optional parameters accepted by every function', `decided: lng=${lng} is 400`, async (c) =>
    status(await c.send('GET', `${await c.map()}?lng=${encodeURIComponent(lng)}`), 400),
  );
rule('Layers', 'decided: style_mode of a layer with a style of its own is 2', async (c) => {
  const body = { code: 'a', css_style: '#a { marker-width: 5; }' };
  holds(await c.make(`${await c.map()}layers/`, body), { style_mode: 2 });
});

import { equal, has, rule, status } from '../rules.js';
import { refuses } from './names.js';

const constraintKeys = 'type name columns definition raw_definition validated';

rule('Layer structure', 'GET constraints/ / an array of objects with all keys', async (c) => {
  const answer = await c.send('GET', `${await c.layer()}constraints/`);
  status(answer, 200);
  equal(Array.isArray(answer.json), true, 'array');
  for (const constraint of answer.json) has(constraint, constraintKeys);
});
for (const path of ['dictionaries/', 'dictionaries/a/', 'dictionaries_f/', 'dictionaries_f/a/'])
  rule('Layer structure', `GET P/<map>/${path} / an array, empty where there is no link`, async (c) => {
    const map = (await c.layer()).replace('layers/a/', '');
    equal((await c.send('GET', `${map}${path}`)).json, [], 'links');
  });
for (const path of [
  'layers/a/constraints/',
  'dictionaries/',
  'dictionaries/a/',
  'dictionaries_f/',
  'dictionaries_f/a/',
])
  refuses('Layer structure', [
    [
      `GET P/<map>/${path} / 401 without a token`,
      401,
      async (c) => c.send('GET', `${(await c.layer()).replace('layers/a/', '')}${path}`, undefined, ''),
    ],
  ]);

import { equal, has, rule, status } from '../rules.js';

rule('Layer structure', 'GET structure / svc_id, geom and the user columns', async (c) => {
  const columns = (await c.send('GET', `${await c.layer()}structure/`)).json;
  for (const column of columns)
    has(column, 'id sort parent_id code name required type localized_name localized_value');
  const codes = columns.map((column: { code: string }) => column.code).sort();
  equal(codes, ['geom', 'size', 'svc_id', 'title'], 'codes');
});
for (const type of ['number', 'string', 'text', 'datetime', 'bool', 'file', 'title', 'json'])
  rule('Layer structure', `POST structure / type ${type}`, async (c) =>
    equal((await c.make(`${await c.layer()}structure/`, { code: 'x', type })).type, type, 'type'),
  );
rule('Layer structure', 'POST structure / 500 when type is absent', async (c) =>
  status(await c.send('POST', `${await c.layer()}structure/`, { code: 'x' }), 500),
);
rule('Layer structure', 'PATCH structure / 500 when type is absent', async (c) =>
  status(await c.send('PATCH', `${await c.layer()}structure/size/`, { name: 'x' }), 500),
);
rule('Layer structure', 'DELETE structure / null, then 404', async (c) => {
  const column = `${await c.layer()}structure/size/`;
  equal((await c.send('DELETE', column)).json, null, 'answer');
  status(await c.send('DELETE', column), 404);
});
rule('Limits', 'user column code / 44 characters pass', async (c) => {
  const code = 'x'.repeat(44);
  equal((await c.make(`${await c.layer()}structure/`, { code, type: 'string' })).code, code, 'code');
});
for (const [what, code] of [
  ['45 characters', 'x'.repeat(45)],
  ['a leading digit', '1x'],
  ['another character', 'x-y'],
])
  rule('Limits', `user column code / ${what} is refused`, async (c) => {
    const answer = await c.send('POST', `${await c.layer()}structure/`, { code, type: 'string' });
    equal(answer.status >= 400, true, `refused (${answer.status})`);
  });

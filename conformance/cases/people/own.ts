import { equal, has, rule, status } from '../../rules.js';

rule('Authentication', 'GET login/sessions/ / decided: the own sessions', async (c) => {
  const token = await c.user();
  const answer = await c.send('GET', '/login/sessions/', undefined, token);
  status(answer, 200);
  has(answer.json?.[0], 'id kind project last_used ends current');
  equal(answer.json?.length, 1, 'sessions');
  equal((await c.send('DELETE', '/login/sessions/', undefined, token)).json, { ended: 0 }, 'others');
});
rule('Authentication', 'POST login/keys/ / decided: a wrong current password is 403', async (c) => {
  const token = await c.user();
  status(await c.send('POST', '/login/keys/', { password: 'wrong', name: 'a program' }, token), 403);
});
rule('Authentication', 'PUT login/password/ / decided: a wrong current password is 403', async (c) => {
  const token = await c.user();
  const body = { password: 'wrong', new_password: 'long-enough' };
  status(await c.send('PUT', '/login/password/', body, token), 403);
});

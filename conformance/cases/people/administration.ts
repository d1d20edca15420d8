import { equal, has, rule, status } from '../../rules.js';

const section = 'Administration';

rule(section, 'GET administration/storage/ / decided: for administrators of the project', async (c) => {
  const answer = await c.send('GET', '/administration/storage/');
  status(answer, 200);
  has(answer.json, 'bytes maps icons uploads exports');
  status(await c.send('GET', '/administration/storage/', undefined, await c.user()), 403);
});
rule(section, 'GET administration/journal/ / decided: a change appears with its user', async (c) => {
  const map = (await c.map()).replaceAll('/', '');
  for (let attempt = 0; attempt < 100; attempt++) {
    const { json } = await c.send('GET', `/administration/journal/?map=${map}`);
    const made = json?.find(({ action }: { action: string }) => action === 'map_made');
    if (made) return equal(made.login, c.target.login, 'login');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no entry of the new map');
});
rule(section, 'GET administration/journal/ / decided: for administrators of the project', async (c) =>
  status(await c.send('GET', '/administration/journal/', undefined, await c.user()), 403),
);
rule(section, 'GET administration/settings/ / decided: no secret has a value', async (c) => {
  const { json } = await c.send('GET', '/administration/settings/');
  const shown = json.filter(
    (one: { isSecret: boolean; value: unknown }) => one.isSecret && one.value !== null,
  );
  equal(shown, [], 'secrets with a value');
});
rule(section, 'GET users/<login>/sessions/ / decided: administrators end sessions of users', async (c) => {
  const token = await c.user();
  const { login } = (await c.send('GET', '/users/info/', undefined, token)).json;
  const path = `/users/${login}/sessions/`;
  equal((await c.send('GET', path)).json?.length, 1, 'sessions');
  status(await c.send('GET', path, undefined, token), 403);
  equal((await c.send('DELETE', path)).json, { ended: 1 }, 'ended');
  status(await c.send('GET', '/users/info/', undefined, token), 401);
});
rule(section, 'GET maps/ / decided: the last change and the objects of a map, on request', async (c) => {
  const map = (await c.map()).replaceAll('/', '');
  const listed = async (query: string) =>
    (await c.send('GET', `/maps/${query}`)).json.find(({ code }: { code: string }) => code === map);
  has(await listed('?returnChanged=1&returnObjects=1'), 'changed objects');
  equal(Object.hasOwn(await listed(''), 'changed'), false, 'changed without being asked for');
});

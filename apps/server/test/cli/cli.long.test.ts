import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../support/server.js';
import { cartulary, newPlace } from './run.js';

/** Where the database of a server is that runs. */
function placeOf({ server }: TestServer): Record<string, string> {
  const { dataFolder, databaseUrl } = server.services.config;
  return { CARTULARY_DATA: dataFolder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
}

test('while the server runs: projects, users, groups and grants that the interface sees at once', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const env = placeOf(server);
  const run = async (line: string, input?: string): Promise<string> => {
    const { status, out, err } = await cartulary(env, line.split(' '), input);
    assert.equal(status, 0, `${line}: ${err}`);
    return out;
  };

  await run('project create parks --name Parks --languages fr,en');
  assert.match(await run('project list'), /^parks\tParks\tfr,en$/m);
  await run(
    'user create bob --project parks --groups staff,guests --name Bob --password -',
    'bobs-secret-1\n',
  );
  const made = await run('user create eve --project parks');
  const password = /^Password: (\S+)$/m.exec(made)?.[1];
  const logIn = async (login: string, secret: string): Promise<{ status: number; token: string }> => {
    const answer = await server.request('POST', '//api/2.8/parks/login/', {
      body: { login, password: secret },
    });
    return { status: answer.status, token: answer.json?.token };
  };
  const bob = await logIn('bob', 'bobs-secret-1');
  const eve = await logIn('eve', password!);
  assert.deepEqual([bob.status, eve.status], [200, 200]);

  const makeMap = async (token: string): Promise<number> =>
    (await server.request('POST', '//api/2.8/parks/', { token, body: { code: 'm' } })).status;
  assert.equal(await makeMap(bob.token), 403);
  await run('grant set edit --project parks --group staff');
  assert.equal(await makeMap(eve.token), 403);
  assert.equal(await makeMap(bob.token), 200);
  assert.match(await run('grant list --project parks'), /^group staff\tedit$/m);
  assert.match(await run('grant explain bob --project parks'), /^bob\tedit\tgranted to group staff/m);
  await run('grant set none --project parks --map m --user public');
  assert.equal((await server.request('GET', '//api/2.8/parks/m/')).status, 403);

  await run('group remove staff bob --project parks');
  await run('group add friends eve --project parks');
  assert.match(await run('group list --project parks'), /^friends\teve$/m);
  assert.match(await run('user list --project parks'), /^bob\tBob\t\tguests$/m);

  await run('user passwd bob --project parks --password another-secret-2');
  const after = await server.request('GET', `//api/2.8/parks/authorized/?token=${bob.token}`);
  assert.equal(after.json, false, 'a new password ends the sessions');
  await run('user delete eve --project parks');
  assert.equal((await logIn('eve', password!)).status, 403);
  await run('project delete parks --yes');
  assert.equal((await server.request('GET', '//api/2.8/parks/m/')).status, 500);
});

test('without a server: migrate creates the database, and the first start keeps existing content', async (t) => {
  const { env, remove } = await newPlace();
  t.after(remove);
  const first = await cartulary(env, ['migrate']);
  assert.equal(first.status, 0, first.err);
  // A new embedded database has the tables of this version from its start.
  assert.match(first.out, process.env.TEST_DATABASE_URL ? /Applied 0001-start/ : /up to date/);
  assert.doesNotMatch((await cartulary(env, ['migrate'])).out, /Applied/);
  const made = await cartulary(env, ['project', 'create', 'alone']);
  assert.equal(made.status, 0, made.err);
  assert.match((await cartulary(env, ['project', 'list'])).out, /^alone\t/m);
});

const mistakes: [args: string, status: number, says: RegExp][] = [
  ['', 2, /Usage/],
  ['fly', 2, /unknown command 'fly'/],
  ['project create', 2, /missing required argument 'code'/],
  ['project delete parks', 2, /--yes/],
  ['project create a/b', 1, /code/],
  ['user list', 2, /either --project or --admin/],
  ['user create x --project nowhere', 1, /project 'nowhere' does not exist/],
  ['user create x --admin --password short', 1, /8/],
  ['grant set own --project demo --user bob', 2, /none, view, edit, administer/],
  ['grant set edit --project demo', 2, /either --user or --group/],
  ['grant list --project demo --layer l', 2, /--map/],
];
test('mistakes are reported in a sentence, with a status', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const env = placeOf(server);
  for (const [line, status, says] of mistakes) {
    const ended = await cartulary(env, line.split(' ').filter(Boolean));
    assert.equal(ended.status, status, `${line}: ${ended.err}`);
    assert.match(ended.err || ended.out, says, line);
  }
});

test('an absent or unresponsive database is reported', async () => {
  const nowhere = await cartulary({ CARTULARY_DATA: '/tmp/cartulary-nowhere' }, ['project', 'list']);
  assert.deepEqual([nowhere.status, /There is no database in/.test(nowhere.err)], [1, true], nowhere.err);
  const deaf = await cartulary({ DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/x' }, ['project', 'list']);
  assert.equal(deaf.status, 1);
  assert.match(deaf.err, /does not answer/);
  assert.doesNotMatch(deaf.err, /secret/);
});

test('settings and migrations are printed as JSON, too', async (t) => {
  const listed = JSON.parse((await cartulary({}, ['settings', '--json'])).out) as Record<string, unknown>[];
  assert.deepEqual(Object.keys(listed[0]!), ['env', 'default', 'unit', 'meaning']);
  assert.equal(listed.find(({ env }) => env === 'PORT')?.default, 8080);
  const server = await startServer();
  t.after(() => server.stop());
  const { out } = await cartulary(placeOf(server), ['migrate', '--json']);
  assert.deepEqual(JSON.parse(out), { applied: [] });
});

test('help names every command with examples', async () => {
  for (const args of [['--help'], ['user', '--help'], ['grant', 'set', '--help'], ['project', '--help']]) {
    const { status, out } = await cartulary({}, args);
    assert.equal(status, 0);
    assert.match(out, /Usage: cartulary/);
  }
  const { out } = await cartulary({}, ['--help']);
  assert.match((await cartulary({}, ['--version'])).out, /^\d+\.\d+\.\d+\s*$/);
  const names = 'login logout map folder layer column style import export job'.split(' ');
  for (const name of ['migrate', 'settings', 'project', 'user', 'group', 'grant', ...names]) {
    assert.match(out, new RegExp(`^  ${name}`, 'm'));
    if (['migrate', 'settings', 'logout'].includes(name)) continue;
    const help = await cartulary({}, [name, '--help']);
    assert.match(help.out, /Examples:\n {2}cartulary /, name);
  }
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, type TestContext } from 'node:test';
import { adminPassword, startServer, type TestServer } from '../support/server.js';
import { begin, cartulary, shell } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'cartulary-files-'));
let server: TestServer;
let env: Record<string, string>;
before(async () => {
  server = await startServer();
  env = { CARTULARY_URL: server.url, CARTULARY_PROJECT: 'demo', CARTULARY_TOKEN: server.adminToken };
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', '/', { code: 'secret', has_publication: false });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A file with a text, which the lines below name by `@name`. */
const files: Record<string, string> = {
  'broken.geojson': '{"type": "FeatureCollection", "features": [{',
  'plan.dwg': 'AC1032',
  'bad.mss': '#l {\n  polygon-fill: red;\n\tline-widht: 2;\n}\n',
  'bad.json': '{"fill": "#fff",\n "stroke" 1}',
  'color.json': '{"fill": "nope"}',
  'good.mss': '#l { line-width: 2; }',
  'point.geojson': '{"type": "Point", "coordinates": [1, 2]}',
};
before(() => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
const words = (line: string): string[] => line.split(' ').map((word) => word.replace(/^@/, `${folder}/`));

const mistakes: [line: string, status: number, says: RegExp, own?: Record<string, string>][] = [
  ['map show nowhere', 1, /The map 'nowhere' does not exist\n'cartulary map list' shows the maps/],
  ['layer show m nowhere', 1, /The layer 'nowhere' does not exist\n'cartulary layer list/],
  ['map list --project nowhere', 1, /The project 'nowhere' does not exist/],
  ['layer create m x --in nowhere', 1, /The folder 'nowhere' does not exist\nMake it: cartulary folder/],
  ['map create m', 1, /'m' is already in use\n.*--if-missing/],
  ['map create a/b', 1, /A code has 1 to 63/],
  ['map create x', 1, /unknown or has expired\n.*cartulary login/, { CARTULARY_TOKEN: 'wrong' }],
  ['map create x', 1, /Authentication is required\n.*cartulary login/, { CARTULARY_TOKEN: '' }],
  ['map show secret', 1, /rights|not/, { CARTULARY_TOKEN: '' }],
  ['import m l @nothing.geojson', 1, /Cannot read \/.*\/nothing.geojson: there is no such file/],
  ['import m l @', 1, /: it is a folder/],
  ['import m l @broken.geojson', 1, /broken.geojson: The file ends too early/],
  ['import m l @good.mss', 1, /good.mss: .*\nA style is set by: cartulary style set m .*good.mss --layer l/],
  ['import m l @color.json', 1, /color.json: .*\nIf it is a style: cartulary style set m .* --layer l/],
  ['import m l @plan.dwg', 1, /plan.dwg: .*\n\.dwg is none of the formats: geojson, /],
  ['import m nowhere @point.geojson', 1, /The layer 'nowhere' does not exist/],
  ['import m l @point.geojson --srs 99999', 1, /99999/],
  ['import m l @point.geojson --raster-bbox 1,2', 2, /west,south,east,north/],
  ['import m l @point.geojson --replace --merge', 2, /cannot be used with/],
  ['import m l @point.geojson --replace --key name', 2, /cannot be used with/],
  ['import m l @point.geojson --column name', 2, /property=code:type, such as NAME=title:text/],
  ['import m l @point.geojson --column name=x --leave-out nothing', 1, /no property 'name'/],
  ['export m l --format dwg', 2, /Allowed choices are geojson, shp/],
  ['export m l -o @out.dwg', 2, /Which format is \.dwg\?\nGive --format/],
  ['export m l -o @out.shp', 2, /--format shp --output out.zip/],
  ['export m l --format csv -o @', 1, /: it is a folder/],
  ['export m l -o @no/where/out.csv', 1, /there is no such folder/],
  [
    'style set m @bad.mss --layer l',
    1,
    /bad.mss:3:2: unknown property line-widht.*\n {3}line-widht: 2;\n {3}\^/,
  ],
  ['style set m @bad.json --layer l', 1, /bad.json:2:11: the JSON is not correct/],
  ['style set m @color.json --layer l', 1, /color.json: simpleStyle.fill is a colour/],
  [
    'style set m @point.geojson --layer l',
    1,
    /point.geojson holds data.*\nData are imported by: cartulary import/,
  ],
  ['style set m @color.json', 1, /is the style of a layer\n.*--layer/],
  ['layer create m x --style @bad.mss', 1, /bad.mss:/],
  ['layer create m x --column name', 2, /code:type/],
  ['layer create m x --column name:strnig', 2, /must be one of number, string/],
  ['layer create m x --type virtual', 2, /needs its query/],
  ['map delete m', 2, /cannot be undone\n.*--yes/],
  ['job show 0e984725-c51c-4bf4-9960-e1c80e27aba0', 1, /job.*\n'cartulary job list'/],
  ['map lst', 2, /unknown command 'lst'\n\(Did you mean list\?\)/],
  ['mpa list', 2, /unknown command 'mpa'\n\(Did you mean map\?\)/],
  ['map list', 2, /Which project\?\n.*CARTULARY_PROJECT/, { CARTULARY_PROJECT: '' }],
  ['map list --url ftp://x', 2, /http:\/\/127.0.0.1:8080/],
  ['map list', 2, /http:\/\/127.0.0.1:8080/, { CARTULARY_URL: 'x' }],
  ['map list', 1, /at http:\/\/127.0.0.1:1: nothing listens/, { CARTULARY_URL: 'http://127.0.0.1:1' }],
  ['map list', 1, /no such host|looked up/, { CARTULARY_URL: 'http://nowhere.invalid' }],
  ['map list --token x', 2, /Give --url/, { CARTULARY_URL: '' }],
  ['group list', 2, /works on the database itself, not at http/],
  ['user list --admin', 2, /managed on its database/],
  ['login admin', 1, /There is no password/],
  ['login admin', 1, /login or the password is wrong/, { CARTULARY_PASSWORD: 'wrong-horse' }],
];

test('mistakes are reported in a sentence with advice', async () => {
  for (const [line, status, says, own = {}] of mistakes) {
    const ended = await cartulary({ ...env, ...own }, words(line));
    assert.deepEqual([ended.status, ended.out], [status, ''], `${line}: ${ended.err}`);
    assert.match(ended.err, says, line);
  }
  // What failed has left nothing.
  const layers = await server.admin('GET', '/m/layers/?type=full');
  assert.deepEqual(
    layers.map(({ code }: any) => code),
    ['l'],
  );
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=true'), 0);
});

test('with --json errors are objects; an address that is the interface itself is understood', async () => {
  const refused = await cartulary(env, ['map', 'show', 'nowhere', '--json']);
  const { code, message } = JSON.parse(refused.err);
  assert.deepEqual([refused.status, code, message], [1, 'map_not_found', "The map 'nowhere' does not exist"]);
  const own = { CARTULARY_TOKEN: env.CARTULARY_TOKEN! };
  const list = await cartulary(own, ['map', 'list', '--url', `${server.url}/api/2.8/demo/`, '--json']);
  assert.deepEqual([list.status, JSON.parse(list.out).length], [0, 2], list.err);
});

test('a file whose name is no UTF-8, one of a name with signs of the shell, and the parts of a shapefile', async () => {
  const line = `cd ${folder} && cp point.geojson $'gard\\xe9n.geojson' && cartulary import m latin $'gard\\xe9n.geojson' --create --json`;
  const latin = await shell(env, line);
  assert.deepEqual([latin.status, JSON.parse(latin.out || '{}').stored], [0, 1], latin.err);
  const odd = join(folder, `a 'b" $(c);*.geojson`);
  writeFileSync(odd, files['point.geojson']!);
  assert.equal((await cartulary(env, ['import', 'm', 'odd', odd, '--create'])).status, 0);

  const out = join(folder, 'parts.zip');
  const made = await cartulary(env, ['export', 'm', 'odd', '--format', 'shp', '-o', out]);
  assert.equal(made.status, 0, made.err);
  const unpacked = await shell(env, `cd ${folder} && python3 -m zipfile -e parts.zip parts && ls parts`);
  const shp = unpacked.out.split('\n').find((name) => name.endsWith('.shp'))!;
  const again = await cartulary(env, [
    'import',
    'm',
    'parts',
    join(folder, 'parts', shp),
    '--create',
    '--json',
  ]);
  assert.equal(again.status, 0, again.err);
  assert.deepEqual([JSON.parse(again.out).format, JSON.parse(again.out).stored], ['shp', 1]);
});

/** Points that take a few seconds to import. */
const many = 300_000;
/** Many points, in pieces. */
const head = '{"type": "FeatureCollection", "features": [';
const feature = (i: number): string =>
  `{"type": "Feature", "properties": {"n": ${i}}, "geometry": {"type": "Point", "coordinates": [${i % 180}, ${i % 80}]}}`;

/** A way to the server that can be cut. */
async function cuttable(t: TestContext): Promise<{ url: string; cut: (whole: boolean) => void }> {
  const open = new Set<ReturnType<typeof connect>>();
  const way: Server = createServer((near) => {
    const far = connect(Number(new URL(server.url).port), '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const cut = (whole: boolean): void => {
    if (whole) way.close();
    for (const socket of open) socket.destroy();
  };
  t.after(() => cut(true));
  return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, cut };
}

test('Ctrl-C ends an import: while it is sent, and while it is stored', async (t) => {
  const sending = begin(env, ['import', 'm', 'sent', '-', '--create', '--progress']);
  sending.child.stdin!.write(head + feature(1));
  await sending.said(/sending/);
  sending.child.kill('SIGINT');
  const sent = await sending.ended;
  assert.deepEqual([sent.status, sent.out], [130, '']);
  assert.match(sent.err, /Cancelled: nothing was stored/);
  assert.equal((await server.request('GET', '/m/layers/sent/')).status, 404, 'nor is the layer left');

  const file = join(folder, 'many.geojson');
  writeFileSync(file, `${head}${Array.from({ length: many }, (_, i) => feature(i)).join()}]}`);
  const storing = begin(env, ['import', 'm', 'l', file, '--progress']);
  await storing.said(/reading|storing|waiting|indexing/);
  storing.child.kill('SIGTERM');
  const stored = await storing.ended;
  assert.deepEqual([stored.status, stored.out], [130, ''], stored.err);
  assert.match(stored.err, /Cancelled: nothing was stored/);
  assert.equal(await server.admin('GET', '/m/layers/l/count/?precise=true'), 0);

  // The way to the server breaks off: it is found again, and the job is followed on.
  const way = await cuttable(t);
  const args = ['import', 'm', 'l', file, '--progress', '--timeout', '20'];
  const broken = begin({ ...env, CARTULARY_URL: way.url }, args);
  await broken.said(/reading|storing|waiting|indexing/);
  way.cut(false);
  const done = await broken.ended;
  assert.deepEqual([done.status, done.out.startsWith(`${many} of ${many}`)], [0, true], done.err);
});

test('a server that does not return is reported, with the job to ask for later', async (t) => {
  const way = await cuttable(t);
  const at = { ...env, CARTULARY_URL: way.url };
  const running = begin(at, [
    'import',
    'm',
    'l',
    join(folder, 'many.geojson'),
    '--progress',
    '--timeout',
    '8',
  ]);
  await running.said(/reading|storing|waiting|indexing/);
  way.cut(true);
  const ended = await running.ended;
  assert.deepEqual([ended.status, ended.out], [1, '']);
  const [, id] =
    /nothing listens there, and it is not known.*\n.*cartulary job show (\S+)/.exec(ended.err) ?? [];
  assert.ok(id, ended.err);
  const followed = await cartulary(env, ['job', 'follow', id]);
  const { out: state } = await cartulary(env, ['job', 'show', id, '--json']);
  assert.equal(followed.status, 0, `the server has gone on with it: ${followed.err} ${state}`);
});

test('an expired session is reported with the way to a new one', async () => {
  const login = await cartulary({ ...env, CARTULARY_PASSWORD: adminPassword }, ['login', 'admin']);
  const own = { ...env, CARTULARY_TOKEN: login.out.trim() };
  assert.equal((await cartulary(own, ['map', 'list'])).status, 0);
  await server.request('POST', '/logout/', { token: own.CARTULARY_TOKEN });
  const ended = await cartulary(own, ['map', 'list']);
  assert.deepEqual([ended.status, /export CARTULARY_TOKEN=/.test(ended.err)], [1, true], ended.err);
});

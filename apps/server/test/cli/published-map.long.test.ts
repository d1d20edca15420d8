import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { PNG } from 'pngjs';
import { adminPassword, startServer } from '../support/server.js';
import { cartulary, newPlace, shell } from './run.js';

const folder = mkdtempSync(join(tmpdir(), 'cartulary-files-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const squares = file(
  'squares.geojson',
  JSON.stringify({
    type: 'FeatureCollection',
    features: [-90, 90].map((west, i) => ({
      type: 'Feature',
      id: i + 1,
      properties: { name: `square ${i + 1}`, people: 10 * (i + 1) },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [west - 60, -60],
            [west + 60, -60],
            [west + 60, 60],
            [west - 60, 60],
            [west - 60, -60],
          ],
        ],
      },
    })),
  }),
);
const red = file(
  'red.mss',
  '#squares {\n  polygon-fill: #ff0000;\n  [people > 15] { polygon-fill: #0000ff; }\n}\n',
);
const table = file('table.csv', 'lon;lat;code\n2,5;48,5;a\n3,5;49,5;b\n');

type Run = (line: string, input?: string) => Promise<string>;

/** All that a script does from an empty project to a published map. */
async function publish(run: Run): Promise<void> {
  await run('map create world --name World --private');
  await run('folder create world areas --name Areas');
  await run('layer create world squares --in areas --column name:string:required --column people:number');
  const dry = JSON.parse(await run(`import world squares ${squares} --dry-run --json`));
  assert.deepEqual(
    [dry.read, dry.refused, dry.columns.map(({ code }: any) => code)],
    [2, 0, ['name', 'people']],
  );
  assert.match(
    await run(`import world squares ${squares} --replace`),
    /^2 of 2 features stored in squares \(geojson, EPSG:4326/,
  );
  await run(`style set world ${red} --layer squares`);
  await run(`import world table ${table} --create --x lon --y lat --decimal ,`);
  const merged = await run(
    `import world table ${table} --x lon --y lat --decimal , --key code --column code=code:string`,
  );
  assert.match(merged, /^2 of 2 features stored in table \(.*\), of which 2 change objects$/m);
  await run('map publish world');
}

/** The expected content afterwards. */
async function look(run: Run): Promise<void> {
  assert.match(await run('map list'), /^world\tWorld\tpublic$/m);
  const layer = JSON.parse(await run('layer show world squares --json'));
  assert.deepEqual([layer.objects, layer.structure.at(-1).code], [2, 'people']);
  assert.equal(await run('style show world --layer squares'), readFileSync(red, 'utf8'));
  assert.match(await run('layer list world'), /^areas\tfolder\tAreas\t\d+\n {2}squares\tlayer/m);
  const csv = await run('export world table --format csv --dialect comma');
  assert.deepEqual(
    csv
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .slice(0, 3),
    ['svc_id,code,geom', '1,a,"POINT(2.5 48.5)"', '2,b,"POINT(3.5 49.5)"'],
  );
}

/** The colour of a place of a tile, as the public sees it. */
function colorAt(png: Buffer, x: number, y: number): string {
  const { data, width } = PNG.sync.read(png);
  return data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3).toString('hex');
}

test('the command line alone, without a server: from nothing to a map that the server then shows', async (t) => {
  const { env: place, remove } = await newPlace();
  t.after(remove);
  const env = { ...place, CARTULARY_PROJECT: 'city', CARTULARY_ADMIN_PASSWORD: adminPassword };
  const run: Run = async (line, input) => {
    const { status, out, err } = await cartulary(env, line.split(' '), input);
    assert.equal(status, 0, `${line}: ${err}`);
    return out;
  };
  // Each of these starts the database: all that can be done is done at an address, below.
  await run('migrate');
  await run('project create city');
  await run('map create world --name World --private');
  assert.match(await run(`import world squares ${squares} --create`), /^2 of 2 features stored in squares/);
  await run(`style set world ${red} --layer squares`);
  assert.match(await run('map publish world'), /^http:\/\/127\.0\.0\.1:8080\/maps\/city\/world\/$/m);
  const based = { ...env, CARTULARY_BASE_URL: 'https://maps.example.org/carto/' };
  const shown = await cartulary(based, ['map', 'show', 'world']);
  assert.match(shown.out, /^page\thttps:\/\/maps\.example\.org\/carto\/maps\/city\/world\/$/m);
  assert.match(await run('layer show world squares'), /^bbox\t-150,-60,150,60$/m);

  const server = await startServer({ ...place });
  t.after(() => server.stop());
  const tile = await server.request('GET', '//tms/city/world/?z=0&x=0&y=0&base=0');
  assert.equal(tile.status, 200, tile.text);
  assert.deepEqual([colorAt(tile.bytes, 64, 128), colorAt(tile.bytes, 192, 128)], ['ff0000', '0000ff']);

  // Beside the server that runs now, on the same database.
  assert.equal(JSON.parse(await run('layer show world squares --json')).objects, 2);
  await run('map unpublish world');
  assert.equal((await server.request('GET', '//api/2.8/city/world/')).status, 403);
});

test('the command line alone, by address and token: from nothing to a published map', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const env: Record<string, string> = { CARTULARY_URL: server.url, CARTULARY_PROJECT: 'city' };
  const run: Run = async (line, input) => {
    const { status, out, err } = await cartulary(env, line.split(' '), input);
    assert.equal(status, 0, `${line}: ${err}`);
    return out;
  };
  env.CARTULARY_TOKEN = (await run('login admin --project demo', `${adminPassword}\n`)).trim();
  await run('project create city --name City');
  env.CARTULARY_TOKEN = (await run('login admin', adminPassword)).trim();
  await run('user create ann --password - --groups staff', 'battery-horse');
  await run('grant set edit --group staff');
  assert.match(await run('user list'), /^ann\t\t\tstaff$/m);

  // Ann may edit: she creates the map, and an administrator publishes it.
  const hers: Record<string, string> = { ...env, CARTULARY_PASSWORD: 'battery-horse' };
  hers.CARTULARY_TOKEN = (await cartulary(hers, ['login', 'ann'])).out.trim();
  const refused = await cartulary(hers, ['grant', 'set', 'administer', '--user', 'ann']);
  assert.deepEqual([refused.status, refused.out], [1, ''], refused.err);
  await publish(run);
  await look(run);
  assert.match(await run('map show world'), new RegExp(`page\\t${server.url}/maps/city/world/`));
  assert.match(await run('grant explain ann --map world'), /^ann\tedit\tgranted to group staff/m);

  // In pipes: out of one layer, into another.
  const piped = await shell(
    env,
    'set -o pipefail; cartulary export world squares --format geojson | cartulary import world copy - --create --json',
  );
  assert.deepEqual([piped.status, JSON.parse(piped.out).stored], [0, 2], piped.err);
  const saved = join(folder, 'squares.gpkg');
  await run(`export world squares -o ${saved}`);
  assert.match(await run(`import world again ${saved} --create`), /^2 of 2 features.*gpkg/);
  const jobs = JSON.parse(await run('job list --json'));
  assert.ok(jobs.every(({ kind, state }: any) => kind === 'import' && state === 'done'));
  assert.match(await run(`job show ${jobs[0].id}`), /^state\tdone$/m);

  await run('layer delete world copy --yes');
  await run('column delete world again people --yes');
  assert.doesNotMatch(await run('column list world again'), /people/);
  await run('map delete world --yes');
  assert.equal(await run('map list'), '');
  await run('logout');
  const signedOut = await cartulary(env, ['map', 'list']);
  assert.deepEqual(
    [signedOut.status, /export CARTULARY_TOKEN=/.test(signedOut.err)],
    [1, true],
    signedOut.err,
  );
});

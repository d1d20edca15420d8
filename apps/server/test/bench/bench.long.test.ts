import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bench = (args: readonly string[], env: Record<string, string> = {}) =>
  run(process.execPath, ['bench/dist/run.js', ...args], { env: { ...process.env, ...env } });

const peers = [
  '/usr/sbin/nginx',
  '/usr/bin/wrk',
  '/usr/bin/mapserv',
  '/usr/bin/spawn-fcgi',
  '/usr/bin/pgbench',
];
const all = [...peers, '/usr/lib/cgi-bin/qgis_mapserv.fcgi', '/usr/bin/ogr2ogr'];
const small = ['--quick', '--rounds', '1', '--seconds', '1', '--features', '500'];
const missing = all.filter((program) => !existsSync(program));

test('a small run checks the answers of all sides, prints the figures, and leaves nothing behind', {
  skip: missing.length ? `${missing[0]} is not installed` : false,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL, which has a user of its own, must get into it.
  chmodSync(folder, 0o755);
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const { stdout } = await bench(['--only', 'views,cached,lists', ...small], { TMPDIR: folder });
  for (const peer of ['MapServer', 'QGIS Server', 'nginx', 'pgbench'])
    assert.match(
      stdout,
      new RegExp(`^\\| [^|]+ \\| ${peer} \\| [\\d.]+ \\w+/s \\| [\\d.]+ \\w+/s \\| [\\d.]+ \\|`, 'm'),
    );
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(
    readFileSync('docs/benchmarks.md', 'utf8'),
    page,
    'a part of the rows is printed, not written',
  );
});

test('a look is drawn by the service and its peers, alike, and summed up', {
  skip: missing.length ? `${missing[0]} is not installed` : false,
}, async () => {
  const { stdout } = await bench(['--looks', 'thematic', '--quick', '--features', '500']);
  assert.match(stdout, /^\| a thematic layer[^|]+(\| [\d.]+ \/ [\d.]+ ){6}\|$/m);
  assert.match(stdout, /Beside MapServer, geometric means of the ratios:\*\* views [\d.]+ \(least [\d.]+/);
  assert.doesNotMatch(stdout, /Pictures that differ/);
});

test('two builds are measured side by side', {
  skip: existsSync('/usr/bin/wrk') ? false : 'wrk is not installed',
}, async () => {
  const { stdout } = await bench(['--only', 'builds', '--against', 'apps/server/dist/src/main.js', ...small]);
  const compared =
    /^\| a vector tile \| other build \| [\d.,]+ requests\/s \| [\d.,]+ requests\/s \| [\d.]+ \|/m;
  assert.match(stdout, compared);
  await assert.rejects(bench(['--only', 'builds', ...small]), /--against names the main file/);
});

for (const [args, said] of [
  [['--only', 'nothing'], /There is no row 'nothing'/],
  [['--looks', 'nothing'], /There is no look 'nothing'/],
  [['--features', '1e9'], /--features must be a whole number from 100 to 10000000/],
  [['--rounds', '0'], /--rounds must be a whole number/],
  [['--never'], /Unknown option '--never'/],
] as const)
  test(`wrong arguments are reported: ${args.join(' ')}`, async () => {
    await assert.rejects(bench(args), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr, said);
      return true;
    });
  });

test('--rows lists the rows that docs/benchmarks.md explains', async () => {
  const { stdout } = await bench(['--rows']);
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  for (const line of stdout.trim().split('\n')) {
    const code = line.split(' ')[0]!;
    if (code !== 'pictures') assert.ok(page.includes(`\`${code}\``), code);
  }
});

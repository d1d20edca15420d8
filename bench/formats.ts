/**
 * `npm run bench:formats`: import and export of files beside Debian's `ogr2ogr`, on the same PostgreSQL, in turns. Needs
 * TEST_DATABASE_URL (a server where databases may be made) and `ogr2ogr`. Each figure is a ratio: our speed to theirs.
 *
 * Options: --features N  polygons (default 200000)   --rounds N  turns (default 5)   --formats geojson,shp,csv
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import yazl from 'yazl';
import { freshPostgres } from '../test/support/database.js';
import { serverProcess } from '../test/support/process.js';
import { adminPassword } from '../test/support/server.js';
import { writePolygons } from './polygons.js';

const run = promisify(execFile);

const { values } = parseArgs({
  options: {
    features: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    formats: { type: 'string', default: 'geojson,shp,csv' },
  },
});
const features = Number(values.features);
const rounds = Number(values.rounds);

/** A way to do the same work: seconds. */
type Way = () => Promise<number>;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

interface Service {
  url: string;
  token: string;
  pid: number;
}

const api = ({ url }: Service, path: string): string => `${url}/api/2.8/demo${path}`;

async function call(service: Service, path: string, body?: object): Promise<any> {
  const answer = await fetch(api(service, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.token}` },
    body: JSON.stringify(body ?? {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

/** A database as GDAL's PostgreSQL driver names it. */
function gdalConnection(url: string): string {
  const { hostname, port, username, pathname } = new URL(url);
  return `PG:host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}`;
}

const answered = (sent: ReturnType<typeof request>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));

/** Sends a file to a layer, and fails unless all its features were stored. */
async function send(service: Service, layer: string, file: string): Promise<void> {
  const sent = request(api(service, `/bench/layers/${layer}/import/?action=1`), {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'x-filename': file.replace(/.*\//, '') },
  });
  const answer = answered(sent);
  await pipeline(createReadStream(file), sent);
  let text = '';
  for await (const chunk of await answer) text += chunk;
  const stored = JSON.parse(text).import?.stored;
  if (stored !== features) throw new Error(`${file}: ${text.slice(0, 500)}`);
}

async function receive(service: Service, format: string, file: string): Promise<void> {
  const sent = request(api(service, `/bench/layers/source/export/?format=${format}`), {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const answer = answered(sent);
  sent.end();
  await pipeline(await answer, createWriteStream(file));
}

/** Proportional set size of a process and all below it, MiB (proc(5), smaps_rollup). */
async function memoryOf(pid: number): Promise<number> {
  const own = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  let total = Number(/^Pss:\s+(\d+)/m.exec(own)?.[1] ?? 0) / 1024;
  for (const task of tasks) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.trim().split(' ').filter(Boolean)) total += await memoryOf(Number(child));
  }
  return total;
}

/** The most memory that the service took during work. */
async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, await memoryOf(pid));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  await work();
  isOver = true;
  await watching;
  return most;
}

async function compare(work: string, ours: Way, theirs: Way): Promise<void> {
  const ratios: number[] = [];
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Who comes first changes, so that neither always finds what the other left.
    const first = await (round % 2 ? ours : theirs)();
    const second = await (round % 2 ? theirs : ours)();
    const [our, their] = round % 2 ? [first, second] : [second, first];
    ratios.push(their / our);
    seconds.push(our);
  }
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!;
  const line = [
    work,
    `${middle(seconds).toFixed(2)} s`,
    `${Math.round(features / middle(seconds))}/s`,
    middle(ratios).toFixed(2),
    `${sorted[0]!.toFixed(2)} to ${sorted.at(-1)!.toFixed(2)}`,
  ];
  process.stdout.write(`| ${line.join(' | ')} |\n`);
}

async function zipOf(folder: string, stem: string): Promise<string> {
  const zip = new yazl.ZipFile();
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${stem}.`) && !name.endsWith('.zip')) zip.addFile(join(folder, name), name);
  }
  zip.end();
  const file = join(folder, `${stem}.zip`);
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
}

/** The same polygons in each format: the file that we get, and the one that ogr2ogr opens. */
async function makeFiles(folder: string): Promise<Record<string, { ours: string; theirs: string }>> {
  const geojson = join(folder, 'polygons.geojson');
  await writePolygons(geojson, features);
  const shp = join(folder, 'shp.shp');
  await run('ogr2ogr', ['-f', 'ESRI Shapefile', '-lco', 'ENCODING=UTF-8', shp, geojson]);
  const csv = join(folder, 'csv.csv');
  await run('ogr2ogr', ['-f', 'CSV', '-lco', 'GEOMETRY=AS_WKT', csv, geojson]);
  return {
    geojson: { ours: geojson, theirs: geojson },
    shp: { ours: await zipOf(folder, 'shp'), theirs: shp },
    csv: { ours: csv, theirs: csv },
  };
}

const admin = process.env.TEST_DATABASE_URL;
if (!admin) throw new Error('TEST_DATABASE_URL names no PostgreSQL');
const folder = mkdtempSync(join(tmpdir(), 'cartulary-bench-'));
const [database, other] = [await freshPostgres(admin), await freshPostgres(admin)];
const service = await serverProcess(join(folder, 'data'), {
  DATABASE_URL: database.url,
  CARTULARY_ADMIN_PASSWORD: adminPassword,
  CARTULARY_IMPORT_LIMIT: String(4 * 1024 ** 3),
});
try {
  const login = await fetch(`${service.url}/api/2.8/demo/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: adminPassword }),
  });
  const { token } = (await login.json()) as { token: string };
  const own: Service = { url: service.url, token, pid: service.child.pid! };
  await call(own, '/', { code: 'bench' });
  await run('psql', [other.url, '-qc', 'create extension if not exists postgis']);
  const files = await makeFiles(folder);
  process.stdout.write('| Work | ours | ours | ogr2ogr / ours | from, to |\n|---|---:|---:|---:|---|\n');
  for (const format of values.formats.split(',')) {
    const { ours, theirs } = files[format]!;
    await call(own, '/bench/layers/', { code: format });
    const isCsv = format === 'csv';
    const options = isCsv
      ? ['-oo', 'AUTODETECT_TYPE=YES', '-oo', 'GEOM_POSSIBLE_NAMES=WKT', '-oo', 'KEEP_GEOM_COLUMNS=NO']
      : [];
    const copy = [
      '-f',
      'PostgreSQL',
      gdalConnection(other.url),
      theirs,
      '-nln',
      `b_${format}`,
      '-overwrite',
      '-t_srs',
      'EPSG:4326',
      '-nlt',
      'GEOMETRY',
      ...(isCsv ? ['-s_srs', 'EPSG:4326'] : []),
    ];
    await compare(
      `import ${format}, ${Math.round((await stat(ours)).size / 1024 ** 2)} MB`,
      () => timed(() => send(own, format, ours)),
      () => timed(() => run('ogr2ogr', [...copy, ...options, '--config', 'PG_USE_COPY', 'YES'])),
    );
    const peak = await peakDuring(own.pid, () => send(own, format, ours));
    process.stdout.write(`| memory during it, at most | ${Math.round(peak)} MiB | | | |\n`);
  }
  await call(own, '/bench/layers/', { code: 'source' });
  await send(own, 'source', files.geojson!.ours);
  const { stdout } = await run('psql', [
    database.url,
    '-Atc',
    "select id from cartulary.container where code = 'source' and type = 'layer'",
  ]);
  for (const [format, driver, options] of [
    ['geojson', 'GeoJSON', []],
    ['csv', 'CSV', ['-lco', 'GEOMETRY=AS_WKT']],
  ] as const) {
    if (!values.formats.split(',').includes(format)) continue;
    const target = join(folder, `theirs.${format}`);
    await compare(
      `export ${format}`,
      () => timed(() => receive(own, format, join(folder, `ours.${format}`))),
      () =>
        timed(async () => {
          await rm(target, { force: true });
          await run('ogr2ogr', [
            '-f',
            driver,
            target,
            gdalConnection(database.url),
            `cartulary_data.layer_${stdout.trim()}`,
            ...options,
          ]);
        }),
    );
  }
} finally {
  service.child.kill('SIGTERM');
  await new Promise((resolve) => service.child.once('exit', resolve));
  await database.drop();
  await other.drop();
  await rm(folder, { recursive: true, force: true });
}

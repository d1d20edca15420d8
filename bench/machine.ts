import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem } from 'node:os';
import sharp from 'sharp';
import { run, type Stage } from './stage.js';

/** Describes the machine in a sentence. Call it before the measurement: it contains the load of other programs. */
export async function machine(): Promise<string> {
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(
    await readFile('/etc/os-release', 'utf8').catch(() => ''),
  )?.[1];
  const all = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const load = loadavg()[0]!.toFixed(1);
  return `${all.length} cores (${all[0]?.model.trim()}), ${memory} GiB, ${system ?? 'Linux'} (${release()}), load before ${load}`;
}

/** The version in the output of a program. */
async function versionOf(pattern: RegExp, command: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(command, args).catch(
    (error) => error as { stdout: string; stderr: string },
  );
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown';
}

/** All programs with their versions, in a sentence. */
export async function versions(stage: Stage): Promise<string> {
  const url = await stage.postgres();
  const require = createRequire(import.meta.url);
  const own = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const commit = await versionOf(/^([0-9a-f]+)/, 'git', 'rev-parse', '--short', 'HEAD');
  const { version: mapnik } = require('@mapnik/mapnik/package.json') as { version: string };
  const parts = [
    ['Cartulary', `${own.version} (${commit})`],
    ['Node.js', process.version.slice(1)],
    ['node-mapnik', mapnik],
    ['PostgreSQL', await versionOf(/([\d.]+)/, 'psql', url, '-Atc', 'show server_version')],
    [
      'PostGIS',
      await versionOf(
        /default_version \| ([\d.]+)/,
        'psql',
        url,
        '-xc',
        "select default_version from pg_available_extensions where name = 'postgis'",
      ),
    ],
    ['MapServer', await versionOf(/version ([\d.]+)/, 'mapserv', '-v')],
    ['QGIS Server', await versionOf(/^Version: ([\d.]+)/m, 'dpkg-query', '-s', 'qgis-server')],
    ['nginx', await versionOf(/nginx\/([\d.]+)/, 'nginx', '-v')],
    ['GDAL', await versionOf(/GDAL ([\d.]+)/, 'ogr2ogr', '--version')],
    ['pgbench', await versionOf(/([\d.]+)/, 'pgbench', '--version')],
    ['wrk', await versionOf(/wrk \S*?([\d.]+)/, 'wrk', '-v')],
    ['sharp', sharp.versions.sharp ?? 'unknown'],
  ];
  return parts.map((part) => part.join(' ')).join(', ');
}

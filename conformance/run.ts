import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import './cases/people/access.js';
import './cases/people/administration.js';
import './cases/catalog/before-changes.js';
import './cases/catalog/codes.js';
import './cases/catalog/columns.js';
import './cases/catalog/conditional.js';
import './cases/catalog/constraints.js';
import './cases/catalog/containers.js';
import './cases/objects/display.js';
import './cases/people/errors.js';
import './cases/files/files.js';
import './cases/catalog/folders.js';
import './cases/files/formats.js';
import './cases/files/imports.js';
import './cases/files/freshness.js';
import './cases/drawing/images.js';
import './cases/catalog/layer-kinds.js';
import './cases/catalog/layers.js';
import './cases/catalog/maps.js';
import './cases/objects/object-filter.js';
import './cases/objects/object-geometry.js';
import './cases/objects/object-limits.js';
import './cases/objects/object-lists.js';
import './cases/objects/object-writes.js';
import './cases/objects/objects.js';
import './cases/objects/statistics.js';
import './cases/people/own.js';
import './cases/people/people.js';
import './cases/catalog/publication.js';
import './cases/drawing/render-settings.js';
import './cases/people/requests.js';
import './cases/people/rights.js';
import './cases/files/search.js';
import './cases/catalog/structure.js';
import './cases/drawing/tiles.js';
import './cases/files/transfer.js';
import './cases/ogc/core.js';
import './cases/ogc/maps.js';
import './cases/ogc/parts.js';
import './cases/ogc/services.js';
import './cases/objects/values.js';
import './cases/files/uploads.js';
import './cases/drawing/vector-settings.js';
import './cases/people/versions.js';
import './cases/drawing/visualizations.js';
import './cases/drawing/custom-visualizations.js';
import { send, type Target } from './client.js';
import { type Result, rules, runRules } from './rules.js';

const help = `npm run conformance -- URL [options]

Checks a server against the rules of the REST interface 2.8, or against those of the OGC services.

  --project CODE      the project in which the rules make their maps (demo)
  --login NAME        an administrator of it (admin)
  --password TEXT     the password of this user (CARTULARY_ADMIN_PASSWORD)
  --filter TEXT       only rules with this text in their name
  --ogc               the rules of OGC API Features, Tiles and Maps, WFS, WMS and WMTS, in place of those of the interface
  --interface-only    without the rules where the interface is silent
  --concurrency N     how many rules run at once (4)
  --json FILE         writes the results there
  --markdown          prints a table`;

const readOptions = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      project: { type: 'string', default: 'demo' },
      login: { type: 'string', default: 'admin' },
      password: { type: 'string', default: process.env.CARTULARY_ADMIN_PASSWORD ?? '' },
      filter: { type: 'string', default: '' },
      concurrency: { type: 'string', default: '4' },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      'interface-only': { type: 'boolean', default: false },
      ogc: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });

function table(results: Result[], isMarkdown: boolean): string {
  if (!isMarkdown)
    return results.map((r) => `${r.result}  ${r.rule}${r.detail && `\n      ${r.detail}`}`).join('\n');
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = results.map((r) => `| ${cell(r.rule)} | ${r.result} | ${cell(r.detail)} |`);
  return ['| Rule | Result | Detail |', '|---|---|---|', ...rows].join('\n');
}

async function signIn(target: Target): Promise<void> {
  const { url, login, password } = target;
  const answer = await send(target, { method: 'POST', path: '/login/', body: { login, password } }).catch(
    (error: Error) => {
      throw new Error(
        `The server at ${url} cannot be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      );
    },
  );
  if (answer.status !== 200)
    throw new Error(
      `The login as ${login} was answered with status ${answer.status}; check --login, --password and --project`,
    );
  target.token = answer.json.token;
}

async function main(): Promise<number> {
  const { values, positionals } = readOptions();
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [url] = positionals;
  const concurrency = Number(values.concurrency);
  if (!url || !/^https?:/.test(url) || !URL.canParse(url) || positionals.length > 1)
    throw new Error('The address of one server is needed, such as http://127.0.0.1:8080 (--help tells more)');
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new Error('--concurrency must be a whole number from 1');
  const { project, login, password } = values;
  const target: Target = { url: url.replace(/\/+$/, ''), project, login, password, token: '' };
  await signIn(target);
  const chosen = rules.filter(
    ({ name }) =>
      name.startsWith('OGC ') === values.ogc &&
      name.includes(values.filter) &&
      !(values['interface-only'] && name.includes('decided')),
  );
  if (chosen.length === 0) throw new Error('no rule has that text in its name');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const results = await runRules(chosen, target, { concurrency, stop: stop.signal });
  const failed = results.filter(({ result }) => result === 'fail').length;
  console.log(
    `${table(results, values.markdown)}\n\n${results.length - failed} passed, ${failed} failed, of ${chosen.length} rules`,
  );
  if (values.json) await writeFile(values.json, JSON.stringify(results, null, 2));
  return failed > 0 || results.length < chosen.length ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}

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

const { values, positionals } = parseArgs({
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
  },
});

function table(results: Result[]): string {
  if (!values.markdown)
    return results.map((r) => `${r.result}  ${r.rule}${r.detail && `\n      ${r.detail}`}`).join('\n');
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = results.map((r) => `| ${cell(r.rule)} | ${r.result} | ${cell(r.detail)} |`);
  return ['| Rule | Result | Detail |', '|---|---|---|', ...rows].join('\n');
}

async function main(): Promise<number> {
  const [url] = positionals;
  const concurrency = Number(values.concurrency);
  if (!url || !Number.isInteger(concurrency) || concurrency < 1)
    throw new Error(
      'npm run conformance -- URL [--project code] [--login admin] [--password …] [--filter text] [--interface-only] [--ogc]',
    );
  const { project, login, password } = values;
  const target: Target = { url: url.replace(/\/+$/, ''), project, login, password, token: '' };
  const answer = await send(target, { method: 'POST', path: '/login/', body: { login, password } });
  if (answer.status !== 200) throw new Error(`login as ${login}: ${answer.status}`);
  target.token = answer.json.token;
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
    `${table(results)}\n\n${results.length - failed} passed, ${failed} failed, of ${chosen.length} rules`,
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

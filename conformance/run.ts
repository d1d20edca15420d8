import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import './cases/access.js';
import './cases/codes.js';
import './cases/columns.js';
import './cases/constraints.js';
import './cases/containers.js';
import './cases/display.js';
import './cases/errors.js';
import './cases/files.js';
import './cases/folders.js';
import './cases/formats.js';
import './cases/freshness.js';
import './cases/images.js';
import './cases/layer-kinds.js';
import './cases/layers.js';
import './cases/maps.js';
import './cases/object-filter.js';
import './cases/object-geometry.js';
import './cases/object-limits.js';
import './cases/object-lists.js';
import './cases/object-writes.js';
import './cases/objects.js';
import './cases/people.js';
import './cases/publication.js';
import './cases/render-settings.js';
import './cases/requests.js';
import './cases/rights.js';
import './cases/search.js';
import './cases/structure.js';
import './cases/tiles.js';
import './cases/transfer.js';
import './cases/values.js';
import './cases/vector-settings.js';
import './cases/versions.js';
import './cases/visualizations.js';
import './cases/custom-visualizations.js';
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
      'npm run conformance -- URL [--project code] [--login admin] [--password …] [--filter text] [--interface-only]',
    );
  const { project, login, password } = values;
  const target: Target = { url: url.replace(/\/+$/, ''), project, login, password, token: '' };
  const answer = await send(target, { method: 'POST', path: '/login/', body: { login, password } });
  if (answer.status !== 200) throw new Error(`login as ${login}: ${answer.status}`);
  target.token = answer.json.token;
  const chosen = rules.filter(
    ({ name }) => name.includes(values.filter) && !(values['interface-only'] && name.includes('decided')),
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

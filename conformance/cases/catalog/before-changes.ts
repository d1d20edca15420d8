import { equal, has, rule, status } from '../../rules.js';
import { abc, raw } from '../support.js';

const json = { accept: 'application/json' };

rule('Layers', 'GET deletion/ / decided: counts what a deletion of a layer would take', async (c) => {
  const layer = await abc(c);
  const [, map] = layer.split('/');
  const answer = await c.send('GET', `/deletion/?map=${map}&layer=a`);
  status(answer, 200);
  has(answer.json, 'layers objects columns files bytes grants readers');
  equal([answer.json.layers, answer.json.objects, answer.json.columns], [1, 3, 2], 'numbers');
  equal((await c.send('GET', `${layer}count/`)).json, 3, 'objects that are still there');
});
rule('Layers', 'GET deletion/ / decided: 401 for the public', async (c) =>
  status(await c.send('GET', `/deletion/?map=${(await c.map()).split('/')[1]}`, undefined, ''), 401),
);
rule('Layer structure', 'GET conversion/ / decided: counts what a change of type would lose', async (c) => {
  const layer = await abc(c);
  const answer = await c.send('GET', `${layer}structure/title/conversion/?type=number`);
  status(answer, 200);
  const { values, lost, examples } = answer.json;
  equal([values, lost, examples?.[0]?.value], [3, 3, 'a'], 'numbers');
});
rule('Layers', 'draft/ / decided: saved, shown to its owner, published', async (c) => {
  const layer = await abc(c);
  const style = '#a { marker-width: 12; }';
  const saved = await raw(c, `${layer}draft/`, { method: 'PUT', body: { css_style: style }, headers: json });
  status(saved, 200);
  has(saved.json, 'css_style base changed_at');
  equal((await c.send('GET', layer)).json?.css_style === style, false, 'the saved style stays');
  const other = await c.user({ '/rights/': 'edit' });
  equal((await c.send('GET', `${layer}draft/`, undefined, other)).status, 404, 'another user has none');
  status(await c.send('POST', `${layer}draft/publish/`), 200);
  equal((await c.send('GET', layer)).json?.css_style, style, 'the style afterwards');
  equal((await c.send('GET', `${layer}draft/`)).status, 404, 'no draft is left');
});

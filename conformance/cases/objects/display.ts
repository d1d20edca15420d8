import { equal, rule, status } from '../../rules.js';
import { layerWith, raw } from '../support.js';

const noon = '2024-05-01T10:00:00Z';
const formats: [type: string, format: object, value: unknown, shown: string, lng?: string][] = [
  ['number', { decimals: 2, thousands: ' ', decimal: ',', prefix: '~', suffix: ' m' }, 1234.5, '~1 234,50 m'],
  ['number', { decimals: 0 }, 1234.5, '1235'],
  ['number', { thousands: '.', decimal: ',' }, -1234567.25, '-1.234.567,25'],
  ['number', { prefix: '$' }, 0, '$0'],
  ['number', { decimals: 1 }, 1.5, '1,5', 'fr'],
  ['datetime', { pattern: 'dd.MM.yyyy', zone: 'UTC' }, noon, '01.05.2024'],
  ['datetime', { pattern: 'yyyy-MM-dd HH:mm', zone: 'Asia/Tokyo' }, noon, '2024-05-01 19:00'],
  ['datetime', { pattern: 'HH:mm:ss' }, noon, '10:00:00'],
  ['datetime', { pattern: 'd MMMM yyyy', zone: 'UTC' }, noon, '1 May 2024', 'en'],
  ['datetime', { pattern: 'd MMMM yyyy', zone: 'UTC' }, noon, '1 mai 2024', 'fr'],
  ['datetime', { pattern: 'EEEE', zone: 'UTC' }, noon, 'Mittwoch', 'de'],
  ['datetime', { pattern: "'on' yy" }, noon, 'on 24'],
  ['bool', { true: 'yes', false: 'no' }, false, 'no'],
  ['bool', { true: 'yes', false: 'no' }, true, 'yes'],
  ['string', { template: '<{value}>' }, 'x', '<x>'],
  ['string', { template: '{value}, {value}' }, '$&', '$&, $&'],
  ['text', { template: '"{value}"' }, 'x', '"x"'],
];
for (const [type, format, value, shown, lng] of formats)
  rule(
    'Values',
    `f=fjson formats a ${type} by ${JSON.stringify(format)} as ${shown}${lng ? ` in ${lng}` : ''}, f=json does not`,
    async (c) => {
      const objects = `${await layerWith(c, { x: { type, format } })}objects/`;
      const { id } = await c.make(objects, { fields: { x: value } });
      const language = lng ? `&lng=${lng}` : '';
      const list = objects.replace('objects/', 'filter/');
      const answers = [
        (await c.send('GET', `${objects}${id}/?f=fjson${language}`)).json,
        (await c.send('GET', `${objects}?fields=x&f=fjson${language}`)).json?.[0],
        (await c.send('POST', `${list}?f=fjson${language}`, { fields: 'x' })).json?.[0],
      ];
      const found = answers.map((answer) => answer?.fields?.x);
      equal(found, [shown, shown, shown], 'one object, list, POST filter/');
      equal(
        (await c.send('GET', `${objects}${id}/?f=json${language}`)).json?.fields?.x === shown,
        false,
        'f=json',
      );
    },
  );
rule('Values', 'f=fjson leaves an empty value and a column without format as they are', async (c) => {
  const layer = await layerWith(c, { x: { type: 'number', format: { suffix: ' m' } }, y: 'number' });
  const { id } = await c.make(`${layer}objects/`, { fields: { y: 1.5 } });
  const { fields } = (await c.send('GET', `${layer}objects/${id}/?f=fjson`)).json;
  equal([fields.x ?? null, fields.y], [null, 1.5], 'values');
});
rule('Values', 'f=fjson of a value that is localized, in its language', async (c) => {
  const column = { type: 'string', localized_value: true, format: { template: '<{value}>' } };
  const objects = `${await layerWith(c, { word: column })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'one' } });
  await c.send('PUT', `${objects}${id}/?lng=fr`, { fields: { word: 'un' } });
  const shown = async (query: string) =>
    (await c.send('GET', `${objects}${id}/?f=fjson${query}`)).json.fields.word;
  equal([await shown(''), await shown('&lng=fr')], ['<one>', '<un>'], 'values');
});
for (const [type, format] of [
  ['number', { decimals: -1 }],
  ['number', { decimals: 'two' }],
  ['datetime', { zone: 'Nowhere/None' }],
  ['bool', { true: 1 }],
  ['string', { template: {} }],
] as const)
  rule('Values', `decided: the format ${JSON.stringify(format)} of a ${type} is 400`, async (c) => {
    const answer = await c.send('POST', `${await c.layer()}structure/`, { code: 'x', type, format });
    status(answer, 400);
  });

rule('Objects', 'GET one / f=pdf in the language of lng', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', localized_value: true } })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'one' } });
  const read = async (lng: string) =>
    (await raw(c, `${objects}${id}/?f=pdf&lng=${lng}`)).bytes.toString('latin1');
  for (const lng of ['en', 'fr']) {
    const text = await read(lng);
    equal([text.slice(0, 5), text.includes(`/Lang (${lng})`)], ['%PDF-', true], `signature, language ${lng}`);
  }
});
rule('Objects', 'GET one / f=pdf without a token: 200 for a published map, 403 for others', async (c) => {
  const layer = await layerWith(c, { word: 'string' });
  const { id } = await c.make(`${layer}objects/`, { fields: { word: 'x' } });
  const sheet = `${layer}objects/${id}/?f=pdf`;
  equal((await raw(c, sheet, { token: '' })).type, 'application/pdf', 'type');
  await c.send('PATCH', layer.replace('layers/a/', ''), { publish: false });
  status(await raw(c, sheet, { token: '' }), 403);
});

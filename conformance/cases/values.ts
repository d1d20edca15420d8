import { equal, rule, status } from '../rules.js';
import { layerWith } from './support.js';

const refused = Symbol('500 value_invalid');
const values: [type: string, sent: unknown, returned: unknown][] = [
  ['number', 1.5, 1.5],
  ['number', '1.5', 1.5],
  ['number', 'x', refused],
  ['number', 2 ** 53 + 2, refused],
  ['string', 'x', 'x'],
  ['string', 'x'.repeat(4000), 'x'.repeat(4000)],
  ['string', 'x'.repeat(4001), refused],
  ['text', 'x'.repeat(4001), 'x'.repeat(4001)],
  ['datetime', '2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00Z'],
  ['datetime', '2024-05-01T10:00:00', '2024-05-01T10:00:00Z'],
  ['datetime', 0, '1970-01-01T00:00:00Z'],
  ['datetime', 'x', refused],
  ['bool', true, true],
  ['bool', 0, false],
  ['bool', 1, true],
  ['bool', 'true', true],
  ['bool', 'false', false],
  ['bool', 'x', refused],
  ['json', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
  ['json', [1, 2], [1, 2]],
  ['title', 'x', refused],
];
for (const [type, sent, returned] of values)
  rule(
    'Values',
    `decided: ${type} ${JSON.stringify(sent).slice(0, 30)} (${JSON.stringify(sent).length})`,
    async (c) => {
      const objects = `${await layerWith(c, { x: type })}objects/`;
      const answer = await c.send('POST', objects, { fields: { x: sent } });
      if (returned === refused) {
        status(answer, 500);
        return equal(
          [answer.json.code, answer.json.data.columns],
          ['value_invalid', ['x']],
          'code and columns',
        );
      }
      status(answer, 200);
      const value = (await c.send('GET', `${objects}${answer.json.id}/`)).json?.fields?.x;
      const instant = (v: unknown) => (type === 'datetime' ? new Date(String(v)).getTime() : v);
      equal(instant(value), instant(returned), 'value');
      if (type === 'datetime') equal(/(Z|\+00:00)$/.test(value), true, `UTC: ${value}`);
    },
  );
for (const geom of [
  { type: 'Point', coordinates: [1, 2, 3] },
  {
    type: 'LineString',
    coordinates: [
      [1, 2, 3],
      [4, 5, 6],
    ],
  },
])
  rule('Values', `decided: Z of a ${geom.type} is kept`, async (c) => {
    const objects = `${await layerWith(c, {})}objects/`;
    const { id } = await c.make(objects, { fields: {}, geom });
    equal((await c.send('GET', `${objects}${id}/geom/`)).json, geom, 'geometry');
  });
rule('Values', 'decided: a geometry that is not GeoJSON is 500', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  status(await c.send('POST', objects, { fields: {}, geom: { type: 'Nonsense', coordinates: [1, 2] } }), 500);
});

const formats: [type: string, format: object, value: unknown, shown: string][] = [
  ['number', { decimals: 2, thousands: ' ', decimal: ',', prefix: '~', suffix: ' m' }, 1234.5, '~1 234,50 m'],
  ['datetime', { pattern: 'dd.MM.yyyy', zone: 'UTC' }, '2024-05-01T10:00:00Z', '01.05.2024'],
  ['bool', { true: 'yes', false: 'no' }, false, 'no'],
  ['string', { template: '<{value}>' }, 'x', '<x>'],
  ['text', { template: '"{value}"' }, 'x', '"x"'],
];
for (const [type, format, value, shown] of formats)
  rule('Values', `f=fjson formats a ${type}, f=json does not`, async (c) => {
    const objects = `${await layerWith(c, { x: { type, format } })}objects/`;
    const { id } = await c.make(objects, { fields: { x: value } });
    equal((await c.send('GET', `${objects}${id}/?f=fjson`)).json?.fields?.x, shown, 'one object');
    equal((await c.send('GET', `${objects}?fields=x&f=fjson`)).json?.[0]?.fields?.x, shown, 'list');
    equal(
      (await c.send('GET', `${objects}${id}/?f=json`)).json?.fields?.x === shown,
      false,
      'f=json is formatted',
    );
  });

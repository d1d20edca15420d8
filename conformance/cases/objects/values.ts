import { equal, rule, status } from '../../rules.js';
import { layerWith } from '../support.js';

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
  ['number', { a: 1 }, refused],
  ['string', 5, refused],
  ['text', false, refused],
  ['datetime', '2024-05-01', '2024-05-01T00:00:00Z'],
  ['datetime', '2024-13-01', refused],
  ['bool', 'perhaps', refused],
  ['bool', 2, refused],
  ['json', 'text', 'text'],
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
        const { code, data } = answer.json;
        equal([code, data.columns], ['value_invalid', ['x']], 'code and columns');
        const count = await c.send('GET', objects.replace('objects/', 'count/?precise=true'));
        return equal(count.json, 0, 'objects stored');
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

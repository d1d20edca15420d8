import { multipart } from '../client.js';
import type { Random } from '../random.js';
import { type Attacker, api, own, send } from './attack.js';

/** A ring of an odd number of positions on a circle, each joined with the opposite one: all its edges cross each other. */
function star(count: number): number[][] {
  const odd = count | 1;
  return Array.from({ length: odd + 1 }, (_, k) => {
    const angle = (2 * Math.PI * ((k * (odd >> 1)) % odd)) / odd;
    return [2.5 + 20 * Math.cos(angle), 48 + 20 * Math.sin(angle)];
  });
}

const polygon = (ring: number[][]) => ({ type: 'Polygon', coordinates: [ring] });
const points = (count: number, random: Random) => ({
  type: 'MultiPoint',
  coordinates: Array.from({ length: count }, () => [-20 + 45 * random.next(), 30 + 35 * random.next()]),
});
const lines = (count: number) => ({
  type: 'MultiLineString',
  coordinates: Array.from({ length: count }, (_, k) => [30, 66].map((y) => [-20 + (45 * k) / count, y])),
});

const shapes: readonly ((random: Random) => unknown)[] = [
  (random) => polygon(star(300 + random.below(20_000))),
  (random) => points(1_000 + random.below(20_000), random),
  (random) => lines(1_000 + random.below(10_000)),
];

/** Shapes for whose relations, overlays and repair no time limit of the database is kept. */
export const shapeAttacks: Record<string, Attacker> = {
  'hostile shapes': {
    clients: 2,
    async act(attack) {
      const { random } = attack;
      const layer = `shapes${random.below(2)}`;
      await send(attack, { method: 'POST', path: own, body: { code: layer } });
      const features = [{ type: 'Feature', properties: {}, geometry: random.pick(shapes)(random) }];
      const collection = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }));
      const path = `${own}${layer}/`;
      await send(attack, {
        method: 'POST',
        path: `${path}import/?action=1`,
        ...multipart({}, 'shape.geojson', collection),
      });
      const geometry = random.pick([points(2_000, random), lines(500), polygon(star(301))]);
      const op = random.pick(['s_intersects', 's_touches', 's_disjoint', 's_dwithin']);
      const args = [{ property: 'geom' }, geometry, ...(op === 's_dwithin' ? [1_000] : [])];
      await Promise.all([
        send(attack, { method: 'POST', path: `${path}filter/`, body: { fields: '', filter: { op, args } } }),
        send(attack, { method: 'GET', path: `/tiles/demo/attack/5/${15 + random.below(2)}/11.mvt` }),
        send(attack, { method: 'GET', path: '/tms/demo/attack/?z=5&x=16&y=20' }),
      ]);
      if (random.chance(0.2)) await send(attack, { method: 'POST', path: `${path}makevalid/` });
      const function_ = random.pick(['st_intersection', 'st_union', 'st_relate', 'st_touches']);
      const query = `select a.svc_id * 100 + b.svc_id as svc_id, ${function_}(a.geom, b.geom) as it from attack.shapes0 a, attack.shapes1 b`;
      const body = { code: `s${random.below(1e9)}`, type: 'virtual', json: { query } };
      await send(attack, { method: 'POST', path: own, body });
      return send(attack, { method: 'GET', path: `${api}/attack/layers/` });
    },
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import { multipart } from '../client.js';
import { readFixture } from '../fixtures.js';
import type { Random } from '../random.js';
import { type Attack, type Attacker, api, own, send } from './attack.js';
import { connections, protocol } from './connection-attacks.js';
import { shapeAttacks } from './shape-attacks.js';

const fixtures = ['places.kml', 'shp-utf8.zip', 'mif.zip', 'tab.zip', 'shapes.dxf', 'table.xlsx'].map(
  (name) => ({ name, bytes: readFixture(name) }),
);

const nested = (depth: number): unknown =>
  depth
    ? { op: 'or', args: [nested(depth - 1), nested(depth - 1)] }
    : { op: 'like', args: [{ property: 'name' }, '%_%e%_%7%'] };

const heavyStyle = (random: Random): string =>
  Array.from(
    { length: 30 },
    (_, index) =>
      `#a::x${index} { marker-width: ${100 + random.below(300)}; marker-opacity: 0.1; marker-allow-overlap: true; }`,
  ).join(' ');

const heavyIcon = (random: Random): string => {
  const circles = Array.from(
    { length: 3_000 },
    (_, index) =>
      `<circle cx="${index % 97}" cy="${index % 89}" r="40" fill="#${100 + random.below(899)}" opacity="0.1"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${circles.join('')}</svg>`;
};

/** Requests that are expensive, and sign-ins with wrong passwords. */
const heavyRequests: Record<string, Attacker> = {
  'large bodies': {
    clients: 2,
    act: (attack) => {
      const text = 'x'.repeat(8_000_000);
      const paths = [`${own}a/objects/`, `${own}a/import/`, `${api}/attack/`, `${api}/login/`];
      return send(attack, {
        method: 'POST',
        path: attack.random.pick(paths),
        body: { fields: { name: text } },
      });
    },
  },
  'heavy lists': {
    clients: 3,
    act: (attack) => {
      const path = `${own}a/objects/?limit=50000&returnGeom=1&returnBbox=1&fields=*&sort=name,d|size`;
      return send(attack, { method: 'GET', path });
    },
  },
  'heavy filters': {
    clients: 3,
    act: (attack) =>
      send(attack, {
        method: 'POST',
        path: `${own}a/filter/`,
        body: { fields: '*', limit: 50_000, filter: nested(6) },
      }),
  },
  'heavy queries': {
    clients: 1,
    act: (attack) => {
      const query = attack.random.pick(heavyQueries);
      const body = { code: `q${attack.random.below(1e9)}`, type: 'virtual', json: { query } };
      return send(attack, { method: 'POST', path: own, body });
    },
  },
  exports: {
    clients: 2,
    act: (attack) =>
      send(attack, {
        method: 'GET',
        path: `${own}a/export/?format=${attack.random.pick(['xls', 'shp', 'kml', 'tab'])}`,
      }),
  },
  'tiles outside of the cache': {
    clients: 3,
    act: (attack) => {
      const { random } = attack;
      const z = 10 + random.below(8);
      const x = Math.floor((182 + random.next()) / (360 / 2 ** z));
      return send(attack, {
        method: 'GET',
        path: `/tms/demo/town/?z=${z}&x=${x}&y=${Math.floor(0.655 * 2 ** z)}&retina=${1 + random.below(4)}`,
      });
    },
  },
  'wrong passwords': {
    clients: 2,
    act: (attack) =>
      send(attack, {
        method: 'POST',
        path: `${api}/login/`,
        body: { login: `user${attack.random.below(5)}`, password: 'wrong' },
      }),
  },
};

/** Files, styles and icons that are broken or expensive. */
const hostileContent: Record<string, Attacker> = {
  'broken files': {
    clients: 2,
    async act(attack) {
      const { random } = attack;
      const { name, bytes } = random.pick(fixtures);
      const broken = Buffer.from(bytes);
      for (let times = random.below(20); times > 0; times--)
        broken[random.below(broken.length)] = random.below(256);
      const layer = `broken${random.below(3)}`;
      await send(attack, { method: 'POST', path: own, body: { code: layer } });
      return send(attack, {
        method: 'POST',
        path: `${own}${layer}/import/?action=1`,
        ...multipart({}, name, broken),
      });
    },
  },
  styles: {
    clients: 2,
    async act(attack) {
      const { random } = attack;
      await send(attack, { method: 'PATCH', path: `${own}a/`, body: { css_style: heavyStyle(random) } });
      const tile = `/tms/demo/attack/?z=${6 + random.below(3)}&x=64&y=84&retina=4`;
      await Promise.all(
        [1, 2, 3].map((layer) => send(attack, { method: 'GET', path: `${tile}&layers=${layer}` })),
      );
      return send(attack, { method: 'GET', path: tile });
    },
  },
  icons: {
    clients: 1,
    async act(attack) {
      const path = `${api}/icons/bad${attack.random.below(5)}/`;
      await send(attack, {
        method: 'PUT',
        path,
        ...multipart({}, 'bad.svg', Buffer.from(heavyIcon(attack.random))),
      });
      return send(attack, { method: 'GET', path });
    },
  },
};

const heavyQueries: readonly string[] = [
  'select row_number() over () as svc_id, st_union(x.geom, y.geom) as geom from attack.a x, attack.a y order by x.name || y.name',
  // No time limit of the database ends such functions.
  "select svc_id, translate(all_names, all_names, '') as it from (select min(svc_id) as svc_id, string_agg(name, '') as all_names from attack.a) n",
  'select svc_id, list && list as it from (select min(svc_id) as svc_id, array_agg(name || svc_id) as list from attack.a) n',
];

/** All attacks by name. Each client repeats its attack. */
export const attacks: Readonly<Record<string, Attacker>> = {
  ...connections,
  ...protocol,
  ...heavyRequests,
  ...hostileContent,
  ...shapeAttacks,
};

/** Repeats an attack until the process ends. Errors are expected. */
export async function keepAttacking(name: string, attack: Attack, done: () => void): Promise<never> {
  for (;;) {
    await attacks[name]!.act(attack).catch(() => {});
    done();
    await sleep(20 + attack.random.below(100));
  }
}

import type { TestServer } from '@cartulary/server/support/server.js';
import { ident, sql } from '@cartulary/sql';
import { places } from '../data/polygons.js';
import { type Figure, quantile, timed } from '../measure.js';
import { figuresOf } from './alone.js';
import type { Row } from './row.js';

/** Number of searches of each kind and layer. */
const searches = 25;

/** Share of objects in the embedded database, which blocks all requests while it creates indexes. */
const embeddedPart = 0.3;

/** The service alone: search in the demo's cities and in a large layer. */
export const searching: Row = {
  code: 'search',
  what: 'search in the demo world and in a large layer',
  isLong: true,
  async measure(stage) {
    const { points } = stage.options;
    const named = `${points.toLocaleString('en')} objects (embedded: ${(Math.round(points * embeddedPart)).toLocaleString('en')})`;
    return {
      figures: await figuresOf(stage, async ({ server, column }) => {
        const large = await largeLayer(
          server,
          column === 'embedded' ? Math.round(points * embeddedPart) : points,
        );
        return [
          ...(await measureMap(server, 'world', '135,000 objects')),
          ...(await measureMap(server, large, named)),
        ];
      }),
    };
  },
};

/** Median and 95th percentile over a sequence of phrases. */
async function measureMap(server: TestServer, map: string, named: string): Promise<Omit<Figure, 'column'>[]> {
  const begin = performance.now();
  await search(server, map, 'berlin');
  await indexed(server, map);
  const value = (performance.now() - begin) / 1000;
  for (const phrase of phrases()) await search(server, map, phrase);
  const times: number[] = [];
  for (const phrase of phrases()) times.push(await timed(() => search(server, map, phrase)));
  return [
    { work: `search indexes of ${named}`, unit: 's', value },
    ...[0.5, 0.95].map((part) => ({
      work: `search in ${named}, ${part * 100}th percentile`,
      unit: 'ms',
      value: 1000 * quantile(times, part),
    })),
  ];
}

async function search(server: TestServer, map: string, phrase: string): Promise<void> {
  const query = new URLSearchParams({ phrase, limit: '10', lang: 'en' });
  const { status, text } = await server.request('GET', `/${map}/search/?${query}`);
  if (status !== 200) throw new Error(`search: ${status} ${text.slice(0, 200)}`);
}

/** Exact names, prefixes, infixes, several words, words without results, short words, and very frequent words. */
function* phrases(): Generator<string> {
  const common = ['san', 'street', 'new', 'park', 'city', 'la', 'el', 'villa', 'old town', 'north'];
  for (let i = 0; i < searches; i++) {
    const { name } = places[(i * 7_919 * 13) % places.length]!;
    const { name: other } = places[(i * 104_729) % places.length]!;
    yield name;
    yield name.slice(0, 4);
    yield name.slice(1, -1);
    yield `${name} ${other}`;
    yield `${name} street`;
    yield `qz${i}xw nothing${i}`;
    yield 'abcdefghijklmnopqrstuvwxyz'[i % 26]!;
    yield name.slice(0, 2);
    yield common[i % common.length]!;
    yield `${common[i % common.length]} ${common[(i + 3) % common.length]}`;
  }
}

/** Creates a map with a layer of the cities, each several times with a suffix. */
async function largeLayer(server: TestServer, objects: number): Promise<string> {
  const map = 'search_bench';
  await server.admin('POST', '/', { code: map });
  const layer = await server.admin<{ id: number }>('POST', `/${map}/layers/`, { code: 'places' });
  const column = await server.admin<{ id: number }>('POST', `/${map}/layers/places/structure/`, {
    code: 'name',
    type: 'string',
  });
  const words = ['', 'Street', 'Park', 'Station', 'North', 'улица', 'Old Town', 'Lake'];
  for (let from = 0, slice = 0; from < objects; from += places.length, slice++) {
    const part = places
      .slice(0, objects - from)
      .map(({ name }, i) => `${name} ${words[slice]} ${slice && i % 997}`);
    await server.db.transaction((tx) =>
      tx.query(sql`
        insert into ${ident('cartulary_data', `layer_${layer.id}`)} (${ident(`c${column.id}`)}) select * from unnest(${part.map((name) => name.replace(/ +0$/, ''))}::text[])`),
    );
  }
  return map;
}

/** Waits for the search indexes of a map's layers: one for a localized column, two for each other column. */
async function indexed(server: TestServer, map: string): Promise<void> {
  for (;;) {
    const [row] = await server.db.query<{ missing: number }>(sql`
      select count(*) as missing from cartulary.container l join cartulary.container m on m.id = l.map_id
      join cartulary.layer_column c on c.layer_id = l.id and c.type = 'string'
      cross join lateral (select to_regclass('cartulary_data.layer_' || l.id) as id) t
      where m.code = ${map} and l.type = 'layer' and pg_relation_size(t.id) >= 131072 and (
        select count(*) from pg_index i where i.indrelid = t.id and i.indisvalid
          and pg_get_indexdef(i.indexrelid) like '%search_text(c' || c.id || ')%') < case when c.localized_value then 1 else 2 end`);
    if (!row!.missing) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // The last table is analyzed.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
}

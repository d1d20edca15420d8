import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Queryable } from '@cartulary/database/internal/pool.js';
import { ident, type Sql, sql, statement } from '@cartulary/sql/internal/sql.js';
import type { Layer } from '../../../src/layers/layers.js';
import type { ObjectQuery } from '../../../src/objects/query/query.js';
import { listObjects, objectsById, openList } from '../../../src/objects/store.js';
import { startServer, type TestServer } from '../../support/server.js';

const size = 60_000;

let server: TestServer;
let layer: Layer;
test.before(async () => {
  server = await startServer({ CARTULARY_LIST_LIMIT: String(size) }, 'here');
  await server.admin('POST', '/', { code: 'm' });
  const { id } = await server.admin('POST', '/m/layers/', { code: 'l' });
  const column = await server.admin('POST', '/m/layers/l/structure/', { code: 'note', type: 'text' });
  const table = ident('cartulary_data', `layer_${id}`);
  await server.db.transaction((tx) =>
    tx.query(sql`insert into ${table} (geom, ${ident(`c${column.id}`)})
      select ST_SetSRID(ST_MakePoint(i % 180, i % 90), 4326), repeat(md5(i::text), 40) from generate_series(1, ${size}::integer) i`),
  );
  layer = { id, code: 'l', type: 'layer', columns: [{ ...column, parent_id: null }] } as unknown as Layer;
});
test.after(() => server.stop());

const url = (query: string): string => `${server.api}/m/layers/l/objects/?${query}`;
const everything = `fields=*&returnGeom=1&limit=${size}`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use in this process, which runs both server and reader, without garbage. */
function memoryInUse(): number {
  // Twice: memory outside the heap is released after the first.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const begin = (address: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(address, resolve).on('error', reject));

test('a list of 60,000 objects comes as one JSON array in order, at a memory far below its size', async () => {
  const before = memoryInUse();
  const response = await begin(url(everything));
  let bytes = 0;
  let sampled = 0;
  let most = 0;
  let count = 0;
  let tail = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (!bytes) assert.equal(chunk.toString('latin1', 0, 8), '[{"id":1');
    bytes += chunk.length;
    const text = tail + chunk.toString('latin1');
    let seen = 0;
    for (const match of text.matchAll(/\{"id":(\d+),"fields":\{"note":/g)) {
      assert.equal(Number(match[1]), ++count);
      seen = match.index + match[0].length;
    }
    tail = text.slice(seen);
    if (bytes > sampled + 5e6) {
      sampled = bytes;
      most = Math.max(most, memoryInUse() - before);
    }
  }
  assert.equal(count, size);
  assert.ok(tail.endsWith('}]'));
  assert.ok(bytes > 80e6, `${bytes} bytes`);
  assert.ok(most < bytes / 4, `${most} bytes in use for an answer of ${bytes}`);
});

test('slow readers hold no database connection, and get everything when they continue', async () => {
  const readers = await Promise.all(Array.from({ length: 14 }, () => begin(url('fields=*&limit=6000'))));
  for (const reader of readers) reader.pause();
  await sleep(300);
  const other = await server.request('GET', '/m/layers/l/objects/7/', {
    signal: AbortSignal.timeout(10_000),
  });
  assert.equal(other.status, 200);
  assert.equal(other.json.id, 7);
  for (const reader of readers) {
    const chunks: Buffer[] = [];
    for await (const chunk of reader) chunks.push(chunk as Buffer);
    assert.equal(JSON.parse(Buffer.concat(chunks).toString()).length, 6000);
  }
});

test('work stops when the client leaves, and the service keeps answering', async () => {
  for (let i = 0; i < 5; i++) {
    const response = await begin(url(everything));
    response.once('data', () => response.destroy());
    await new Promise((resolve) => response.once('close', resolve));
  }
  assert.equal((await server.request('GET', '/m/layers/l/count/?precise=true')).json, size);
});

const query = (more: Partial<ObjectQuery> = {}): ObjectQuery => ({
  columns: layer.columns,
  main: 'en',
  display: false,
  sort: [],
  limit: 5000,
  offset: 0,
  ...more,
});

/** The same database with a log of its statements. */
function watched(): { db: Queryable; asked: string[] } {
  const asked: string[] = [];
  const db: Queryable = {
    query: <Row>(part: Sql, signal?: AbortSignal) => {
      asked.push(statement(part).text);
      return server.db.query<Row>(part, signal);
    },
    cachedQuery: server.db.cachedQuery,
  };
  return { db, asked };
}

test('slices are read when they are asked for, and are small where objects are large', async () => {
  const { db, asked } = watched();
  const { slices, hasMore, sliceCount } = await openList(db, layer, query());
  assert.equal(asked.length, 1, 'ids alone');
  assert.ok(hasMore && sliceCount >= 5);
  const reader = slices[Symbol.asyncIterator]();
  assert.equal((await reader.next()).value.length, 500);
  assert.equal(asked.length, 2);
  const wide = query({ limit: 30, columns: [] });
  assert.equal((await openList(db, layer, wide)).sliceCount, 1);
  const large = 'x'.repeat(1_500_000).replace(/x/g, () => String.fromCharCode(97 + Math.random() * 26));
  await server.admin('PUT', '/m/layers/l/objects/3/', { fields: { note: large } });
  await server.admin('PUT', '/m/layers/l/objects/4/', {
    fields: { note: large.replaceAll('a', 'Ж').replaceAll('b', 'Щ') },
  });
  await server.admin('PUT', '/m/layers/l/objects/5/', { fields: { note: large.replaceAll('c', 'Я') } });
  await server.admin('PUT', '/m/layers/l/objects/6/', { fields: { note: large.replaceAll('d', 'Я') } });
  const sized = await openList(db, layer, query({ limit: 6 }));
  assert.ok(sized.sliceCount > 1);
  const ids: number[] = [];
  for await (const slice of sized.slices) ids.push(...slice.map(({ id }) => id));
  assert.deepEqual(ids, [1, 2, 3, 4, 5, 6]);
});

test('an aborted signal ends the work between and within slices', async () => {
  const controller = new AbortController();
  const { db, asked } = watched();
  const { slices } = await openList(db, layer, query(), controller.signal);
  const reader = slices[Symbol.asyncIterator]();
  await reader.next();
  controller.abort(new Error('gone'));
  await assert.rejects(Promise.resolve(reader.next()), /gone/);
  assert.equal(asked.length, 3);
  await assert.rejects(openList(db, layer, query(), controller.signal), /gone/);
});

test('objects that are deleted while a list is read are left out', async () => {
  const { slices } = await openList(server.db, layer, query({ limit: 2500, columns: [] }));
  const ids: number[] = [];
  for await (const slice of slices) {
    if (!ids.length) await server.admin('DELETE', '/m/layers/l/objects/', { delete_params: '1001-2400' });
    ids.push(...slice.map(({ id }) => id));
  }
  assert.equal(ids.length, 1100);
  assert.equal(ids.at(-1), 2500);
  const answer = await server.request('GET', '/m/layers/l/objects/?limit=2000');
  assert.equal(answer.json.length, 2000);
});

test('a whole layer is read page by page in the order of ids, and objects by their ids', async () => {
  const { db, asked } = watched();
  let last = 0;
  let count = 0;
  for await (const slice of listObjects(db, layer, query({ limit: Number.POSITIVE_INFINITY, columns: [] }))) {
    for (const { id } of slice) {
      assert.ok(id > last);
      last = id;
      count++;
    }
  }
  assert.equal(count, size - 1400);
  assert.ok(asked.length < 300, `${asked.length} statements`);
  const ids: number[] = [];
  const wanted = { output: query(), ids: [500, 1200, 7, 500_000, 8] };
  for await (const slice of objectsById(db, layer, wanted)) ids.push(...slice.map(({ id }) => id));
  assert.deepEqual(ids, [500, 7, 8]);
});

test('a list of which every object has gone is still an array', async () => {
  await server.admin('POST', '/m/layers/', { code: 'empty' });
  assert.deepEqual((await server.request('GET', '/m/layers/empty/objects/')).text, '[]');
});

test('a list that fails midway is cut off, never ended as if it were complete', async () => {
  const response = await begin(url(everything));
  response.once('readable', () => response.read(1));
  await sleep(200);
  await server.admin('DELETE', '/m/layers/l/');
  await assert.rejects(async () => {
    for await (const chunk of response) assert.ok(chunk);
  }, /aborted/);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { publicUser } from '../../../src/access/caller.js';
import { geojsonInput, importFeatures, sweepStaging } from '../../../src/imports/import.js';
import { stagingName } from '../../../src/imports/session/staging.js';
import { findLayer, type Layer } from '../../../src/layers/layers.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../../support/server.js';

const importLimit = 240_000_000;
const featureLimit = 200_000;

let server: TestServer;
test.before(async () => {
  const limits = {
    CARTULARY_IMPORT_LIMIT: String(importLimit),
    CARTULARY_IMPORT_FEATURE_LIMIT: String(featureLimit),
  };
  server = await startServer(limits, 'here');
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

async function newLayer(): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  return code;
}

const send = (layer: string, body: unknown, query = '', signal?: AbortSignal): Promise<TestAnswer> =>
  server.request('POST', `/m/layers/${layer}/import/?${query}`, {
    token: server.adminToken,
    body,
    ...(signal ? { signal } : {}),
  });

const countOf = (layer: string): Promise<number> =>
  server.admin('GET', `/m/layers/${layer}/count/?precise=1`);

async function tableOf(layer: string): Promise<string> {
  const [row] = await server.db.query<{ id: number }>(
    sql`select id from cartulary.container where code = ${layer}`,
  );
  return `layer_${row!.id}`;
}

const stagingTables = async (): Promise<string[]> =>
  (
    await server.db.query<{ relname: string }>(
      sql`select relname from pg_class where relname like 'staging%' and relkind = 'r'`,
    )
  ).map(({ relname }) => relname);

/** Folders of files that have not come wholly, or are being imported. */
const spooled = (): Promise<string[]> =>
  readdir(join(server.server.services.config.dataFolder, 'tmp')).catch(() => []);

/** Waits until `check` holds: for what happens after a client has gone. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await check()) return;
    await sleep(50);
  }
  assert.fail('it did not come to be');
}

const head = '{"type":"FeatureCollection","features":[\n';
const feature = (i: number, note = ''): string =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"i":${i},"note":"${note}"}}`;

/** A file of features, made as it is read. */
async function* file(count: number, note = ''): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  for (let i = 0; i < count; i += 100) {
    const some = Array.from({ length: Math.min(100, count - i) }, (_, k) => feature(i + k, note));
    yield Buffer.from(`${i ? ',\n' : ''}${some.join(',\n')}`);
  }
  yield Buffer.from('\n]}');
}

/** Sends a stream over a separate connection. */
async function stream(
  layer: string,
  source: AsyncIterable<Buffer>,
  headers = {},
): Promise<{ status: number; json: any }> {
  const outgoing = httpRequest(`${server.api}/m/layers/${layer}/import/`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json', ...headers },
  });
  const answered = once(outgoing, 'response');
  Readable.from(source, { objectMode: false }).pipe(outgoing);
  const [incoming] = await answered;
  outgoing.on('error', () => {}); // the rest may be refused
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  outgoing.destroy();
  const text = Buffer.concat(chunks).toString();
  return { status: incoming.statusCode, json: text.startsWith('{') ? JSON.parse(text) : text };
}

test('a file far larger than the memory that it takes', async () => {
  const layer = await newLayer();
  await stream(layer, file(20_000, 'warm'));
  const before = process.memoryUsage().rss;
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before);
  }, 50);
  const count = 60_000;
  const answer = await stream(layer, file(count, 'x'.repeat(3_800)));
  clearInterval(timer);
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
  assert.deepEqual([answer.json.import.read, answer.json.import.stored], [count, count]);
  assert.ok(most < 225e6, `${Math.round(most / 1e6)} MB more for a file of 236 MB`);
  assert.equal(await countOf(layer), 20_000 + count);
});

test('too large: the file, declared or not, packed or not, and a single feature', async () => {
  const layer = await newLayer();
  await send(layer, `${head}${feature(1)}]}`);
  const declared = await stream(layer, Readable.from([Buffer.from(head)]), {
    'content-length': importLimit + 1,
  });
  assert.equal(declared.status, 413);
  const spaces = gzipSync(Buffer.alloc(importLimit + 1, ' '), { level: 1 });
  assert.equal((await send(layer, spaces)).status, 413);
  const feature1 = await send(layer, `${head}${feature(1)},${feature(2, 'x'.repeat(featureLimit))}]}`);
  assert.equal(feature1.status, 413);
  const endless = await stream(
    layer,
    (async function* () {
      yield Buffer.from(head);
      for (;;) yield Buffer.alloc(100_000, '{"a":');
    })(),
  );
  assert.ok(endless.status === 413 || endless.json.code === 'import_failed', JSON.stringify(endless));
  assert.equal(await countOf(layer), 1);
  assert.deepEqual(await stagingTables(), []);
});

test('an upload that breaks off leaves nothing behind', async () => {
  const layer = await newLayer();
  await send(layer, `${head}${feature(1)}]}`);
  const structure = JSON.stringify(await server.admin('GET', `/m/layers/${layer}/structure/`));
  for (const type of ['application/json', 'multipart/form-data; boundary=xxx']) {
    const outgoing = httpRequest(`${server.api}/m/layers/${layer}/import/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.adminToken}`, 'content-type': type },
    });
    outgoing.on('error', () => {});
    if (type.startsWith('multipart')) {
      outgoing.write('--xxx\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n');
    }
    outgoing.write(`${head}${feature(1).replace('"i"', '"new"')}`);
    for (let i = 0; i < 20_000; i++) if (!outgoing.write(`,${feature(i)}`)) await once(outgoing, 'drain');
    await eventually(async () => (await spooled()).length === 1);
    outgoing.destroy();
    await eventually(async () => (await spooled()).length === 0);
    assert.deepEqual(await stagingTables(), []);
    assert.equal(await countOf(layer), 1);
    assert.equal(JSON.stringify(await server.admin('GET', `/m/layers/${layer}/structure/`)), structure);
  }
  // A form whose end is missing, though the connection stays.
  const cut = await server.request('POST', `/m/layers/${layer}/import/`, {
    token: server.adminToken,
    headers: { 'content-type': 'multipart/form-data; boundary=xxx' },
    body: `--xxx\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n${head}${feature(1)}`,
  });
  assert.notEqual(cut.status, 200, cut.text);
  assert.equal(await countOf(layer), 1);
});

test('a client that leaves before its upload is read has no effect on others', async () => {
  const layer = await newLayer();
  for (let i = 0; i < 20; i++) {
    const outgoing = httpRequest(`${server.api}/m/layers/${layer}/import/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        'content-type': 'multipart/form-data; boundary=xxx',
      },
    });
    outgoing.on('error', () => {});
    outgoing.write(
      `--xxx\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n${head}${feature(1)}`,
    );
    await sleep(i);
    outgoing.destroy();
  }
  await eventually(async () => (await stagingTables()).length === 0);
  assert.equal(await countOf(layer), 0);
});

test('a failure is answered while the client is still sending', async () => {
  const layer = await newLayer();
  const bad = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(`${head}{"type":"Wrong"}`);
    for await (const chunk of file(100_000, 'x'.repeat(100))) yield chunk;
  };
  const answer = await stream(layer, bad());
  assert.equal(answer.json.code, 'import_failed');
  const form = new FormData();
  form.set('file', new Blob([`${head}{"type":"Wrong"},`, ' '.repeat(20_000_000)]), 'x.geojson');
  assert.equal((await send(layer, form)).json.code, 'import_failed');
  const unknown = await server.request('POST', `/m/layers/none/import/`, {
    token: server.adminToken,
    body: form,
  });
  assert.equal(unknown.status, 404);
  assert.equal(await countOf(layer), 0);
});

test('after a failure in the middle of a body its connection serves the next request', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const layer = await newLayer();
  const ask = async (method: string, path: string, body?: Buffer): Promise<number> => {
    const headers = { authorization: `Bearer ${server.adminToken}` };
    const sent = httpRequest(`${server.api}${path}`, { method, agent, headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode;
  };
  try {
    const wrong = `${head}{"type":"Feature"]`;
    for (const body of [
      Buffer.from(wrong.padEnd(20_000_000)),
      gzipSync(wrong.padEnd(20_000_000), { level: 0 }),
    ]) {
      assert.equal(await ask('POST', `/m/layers/${layer}/import/`, body), 500);
      assert.equal(await ask('GET', `/m/layers/${layer}/`), 200);
    }
  } finally {
    agent.destroy();
  }
});

test('imports at once into one layer, and more than may run', async () => {
  const layer = await newLayer();
  const one = Readable.from(file(3_000));
  const text = Buffer.concat(await one.toArray());
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(layer, text)));
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  assert.equal(await countOf(layer), 15_000);
  const columns = await server.admin<{ code: string }[]>('GET', `/m/layers/${layer}/structure/`);
  assert.deepEqual(
    columns.map(({ code }) => code),
    ['svc_id', 'geom', 'i', 'note'],
  );
  const table = await tableOf(layer);
  const physical = await server.db.query(
    sql`select 1 from information_schema.columns where table_name = ${table}`,
  );
  assert.equal(physical.length, 4);
});

test('readers see the old or the new, and writes of others are kept', async () => {
  const layer = await newLayer();
  await send(layer, Buffer.concat(await Readable.from(file(4_000)).toArray()));
  const text = Buffer.concat(await Readable.from(file(9_000)).toArray());
  let isDone = false;
  const seen = new Set<number>();
  const reading = (async () => {
    while (!isDone) seen.add(await countOf(layer));
  })();
  const answer = await send(layer, text, 'action=1');
  isDone = true;
  await reading;
  assert.equal(answer.status, 200);
  seen.add(await countOf(layer));
  assert.deepEqual([...seen].sort(), [4_000, 9_000]);

  isDone = false;
  const made: number[] = [];
  const writing = (async () => {
    while (!isDone) {
      const object = await server.admin('POST', `/m/layers/${layer}/objects/`, {
        fields: { i: 1, note: 'mine' },
      });
      made.push(object.id);
    }
  })();
  assert.equal((await send(layer, text, 'action=2')).status, 200);
  isDone = true;
  await writing;
  assert.ok(made.length > 0);
  assert.equal(await countOf(layer), 18_000 + made.length);
  const mine = await server.admin(
    'GET',
    `/m/layers/${layer}/objects/?fields=note&fcode=note&fval=mine&limit=50000`,
  );
  assert.deepEqual(mine.map(({ id }: { id: number }) => id).sort(), made.sort());
});

/** A layer as an administrator finds it. */
async function foundLayer(layer: string): Promise<Layer> {
  const [project] = await server.db.query<{ id: number }>(
    sql`select id from cartulary.project where code = 'demo'`,
  );
  const caller = {
    ...publicUser({ id: project!.id, code: 'demo', languages: ['en'] }),
    isInstaller: true,
  };
  return findLayer(server.db, caller, { map: 'm', layer }, 'edit');
}

const importOptions = { action: 'merge', languages: ['en'], featureLimit, columnLimit: 100 } as const;

test('the layer is deleted during its import', async () => {
  const layer = await newLayer();
  const source = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(head + feature(0));
    await eventually(async () => (await stagingTables()).length === 1);
    await server.admin('DELETE', `/m/layers/${layer}/`);
    yield Buffer.from(`,${feature(1)}]}`);
  };
  await assert.rejects(
    importFeatures(server.db, await foundLayer(layer), geojsonInput(source()), importOptions),
    { status: 404 },
  );
  assert.deepEqual(await stagingTables(), []);

  const another = await newLayer();
  const upload = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(head + feature(0));
    await eventually(async () => (await spooled()).length === 1);
    await server.admin('DELETE', `/m/layers/${another}/`);
    yield Buffer.from(`,${feature(1)}]}`);
  };
  const answer = await stream(another, upload());
  assert.equal(answer.status, 404, JSON.stringify(answer.json));
  assert.deepEqual(await spooled(), []);
});

test('a column is changed during the import', async () => {
  const layer = await newLayer();
  await send(layer, `${head}${feature(1)}]}`);
  const source = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(head + feature(0));
    await eventually(async () => (await stagingTables()).length === 1);
    await server.admin('PUT', `/m/layers/${layer}/structure/i/`, { type: 'string' });
    yield Buffer.from(`,${feature(1)}]}`);
  };
  await assert.rejects(
    importFeatures(server.db, await foundLayer(layer), geojsonInput(source()), importOptions),
    { code: 'import_failed', data: { columns: ['i'] } },
  );
  assert.equal(await countOf(layer), 1);
});

test('the service answers while it imports', async () => {
  const layer = await newLayer();
  const importing = stream(layer, file(30_000, 'x'.repeat(500)));
  let isDone = false;
  importing.finally(() => {
    isDone = true;
  });
  let answers = 0;
  while (!isDone) {
    assert.equal((await server.request('GET', '/m/layers/')).status, 200);
    answers++;
  }
  assert.equal((await importing).status, 200);
  assert.ok(answers > 10, `${answers} answers`);
});

test('progress is reported, and leftovers of a crash are removed', async () => {
  const layer = await newLayer();
  const told: number[] = [];
  const found = await foundLayer(layer);
  const result = await importFeatures(server.db, found, geojsonInput(file(12_000)), {
    action: 'replace',
    languages: ['en'],
    featureLimit,
    columnLimit: 100,
    progress: ({ phase, done }) => {
      if (phase === 'reading' && done !== undefined) told.push(done);
    },
  });
  assert.deepEqual([result.read, result.stored], [12_000, 12_000]);
  assert.ok(told.length > 1);
  assert.equal(told.at(-1), 12_000);
  assert.deepEqual(
    [...told].sort((a, b) => a - b),
    told,
  );

  const old = `staging_${Math.floor(Date.now() / 1000) - 2 * 86_400}_0123456789ab`;
  const [, time, maker = ''] = stagingName().split('_');
  const ofAnother = (pid: number): string =>
    `staging_${time}_${maker.slice(0, 8)}${pid.toString(16).padStart(8, '0')}${maker.slice(16)}`;
  // No process has that number: it is above the largest that Linux gives (2^22).
  const [ofDead, ofLiving, ofThis] = [ofAnother(2 ** 30), ofAnother(process.ppid), stagingName()];
  const ofEarlier = ofAnother(process.pid).replace(time!, String(Number(time) - 3600));
  for (const name of [old, ofDead, ofEarlier, ofLiving, ofThis]) {
    await server.db.transaction((tx) =>
      tx.query(sql`create table ${ident('cartulary_data', name)} (n bigint)`),
    );
  }
  await sweepStaging(server.db);
  assert.deepEqual((await stagingTables()).sort(), [ofLiving, ofThis].sort());
  await sweepStaging(server.db, { all: true });
  assert.deepEqual(await stagingTables(), []);
});

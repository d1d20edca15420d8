import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { launchServer, printed } from '@cartulary/server/support/process.js';
import { adminPassword } from '@cartulary/server/support/server.js';
import type { BackgroundCounts, BackgroundLoad } from '../background-clients.js';
import { placeOf, places, polygon } from '../data/polygons.js';
import { type Figure, type Finding, quantile } from '../measure.js';
import type { Stage } from '../stage.js';
import type { Row } from './row.js';

/** Number of background clients. */
const clients = 250;
/** Objects of the layer that the background clients request. */
const objects = 20_000;
/** Pause between two requests of a kind, ms. */
const pause = 20;
/** Time for the background clients to start before the measurement. */
const rampUpMs = 1_000;

/** Cheap requests while background clients request lists, searches or exports, compared with the same requests alone. */
export const cheapUnderLoad: Row = {
  code: 'load',
  what: `short requests beside ${clients} clients`,
  isLong: true,
  async measure(stage) {
    const [findings, figures]: [Finding[], Figure[]] = [[], []];
    for (const column of ['embedded', 'PostgreSQL']) {
      const service = await startService(stage, column);
      const kinds = await cheapKinds(service);
      const seconds = 2 * stage.options.seconds;
      await timesOf(kinds, 2);
      const idle = await timesOf(kinds, seconds);
      figures.push(...figuresOf('alone', column, idle));
      for (const [background, paths] of Object.entries(backgroundRequests)) {
        const loaded = await beside({ base: service.url, paths: paths(), clients }, () =>
          timesOf(kinds, seconds),
        );
        figures.push(...figuresOf(`beside ${clients} that ask for ${background}`, column, loaded));
        const ratios = Object.keys(kinds).map(
          (kind) => quantile(loaded[kind]!, 0.99) / quantile(idle[kind]!, 0.99),
        );
        findings.push({
          work: `cheap requests beside ${clients} clients that ask for ${background}, to alone: 99th percentile of the kind that waits longest (${column})`,
          unit: '',
          values: [Math.max(...ratios)],
          target: { below: 3 },
        });
      }
      await service.stop();
    }
    return { findings, figures };
  },
};

const map = 'load';
const layer = `/api/2.8/demo/${map}/layers/polygons`;
/** A layer with constant writes, so that no cached tile of it is valid. */
const notes = '/api/2.8/demo/notes/layers/notes';
const sometimes = (i: number): number => (i * 7_919) % objects;

/** Requests of the background clients. */
const backgroundRequests: Readonly<Record<string, () => string[]>> = {
  lists: () =>
    [1_000, 5_000, 20_000].flatMap((limit) =>
      Array.from({ length: 20 }, (_, i) => {
        const [lon, lat] = placeOf(sometimes(i));
        const box = [lat - 20, lon - 30, lat + 20, lon + 30].map((value) => value.toFixed(3));
        return `${layer}/objects/?returnGeom=1&limit=${limit}&fbbox=${box}`;
      }),
    ),
  searches: () =>
    Array.from({ length: 200 }, (_, i) => {
      const { name } = places[(i * 104_729) % places.length]!;
      const phrase = [name, name.slice(0, 4), name.slice(0, 2), `${name} new`][i % 4]!;
      return `/api/2.8/demo/${map}/search/?${new URLSearchParams({ phrase, limit: '10' })}`;
    }),
  exports: () => ['geojson', 'csv', 'kml'].map((format) => `${layer}/export/?format=${format}`),
};

interface Service {
  url: string;
  ask(method: string, path: string, body?: object | FormData): Promise<Response>;
  stop(): Promise<void>;
}

/** Sends one request. Throws for a wrong response. */
type Kinds = Readonly<Record<string, (i: number) => Promise<Response>>>;
type Times = Readonly<Record<string, readonly number[]>>;

const cheapKinds = async ({ ask }: Service): Promise<Kinds> => ({
  'one object': (i) => ask('GET', `${layer}/objects/${1 + sometimes(i)}/?returnGeom=1`),
  'a token': () => ask('GET', '/api/2.8/demo/authorized/'),
  'a tile that is kept': () => ask('GET', `/tms/demo/${map}/?z=1&x=1&y=1`),
  'a small write': (i) => ask('PUT', `${notes}/objects/1/`, { fields: { text: `note ${i}` } }),
});

/** Milliseconds per request by kind. Kinds run concurrently, the requests of a kind one after the other. */
async function timesOf(kinds: Kinds, seconds: number): Promise<Times> {
  const end = performance.now() + seconds * 1000;
  const measured = Object.entries(kinds).map(async ([kind, ask]) => {
    const times: number[] = [];
    for (let i = 0; performance.now() < end; i++) {
      const start = performance.now();
      const answer = await ask(i);
      times.push(performance.now() - start);
      if (!answer.ok) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`);
      await sleep(pause);
    }
    return [kind, times] as const;
  });
  return Object.fromEntries(await Promise.all(measured));
}

const figuresOf = (when: string, column: string, times: Times): Figure[] =>
  Object.entries(times).map(([kind, list]) => ({
    work: `${kind} ${when}, 99th percentile`,
    unit: 'ms',
    column,
    value: quantile(list, 0.99),
  }));

/** Throws if the background clients got wrong responses. */
async function beside<T>(load: BackgroundLoad, work: () => Promise<T>): Promise<T> {
  const program = fileURLToPath(new URL('../background-clients.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.on('data', (chunk) => {
    told += chunk;
  });
  const done = await sleep(rampUpMs)
    .then(work)
    .finally(() => ended(child));
  const { failed, bytes } = JSON.parse(told) as BackgroundCounts;
  if (failed || !bytes) throw new Error(`the background clients got wrong responses: ${told}`);
  return done;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function startService(stage: Stage, column: string): Promise<Service> {
  const database: Record<string, string> =
    column === 'embedded' ? {} : { DATABASE_URL: await stage.database() };
  const launched = launchServer(join(stage.folder, `load ${column}`), {
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    ...database,
  });
  const stop = (): Promise<void> => ended(launched.child);
  stage.defer(stop);
  const [, url] = await printed(launched, /(http:\/\/[^/\s]+)\//);
  let token = '';
  const ask = (method: string, path: string, body?: object | FormData): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
      },
      body: body instanceof FormData ? body : body ? JSON.stringify(body) : null,
    }).then(async (answer) => {
      await answer.clone().arrayBuffer();
      return answer;
    });
  const must = async (...asked: Parameters<typeof ask>): Promise<any> => {
    const answer = await ask(...asked);
    if (!answer.ok) throw new Error(`${asked[0]} ${asked[1]}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const project = '/api/2.8/demo';
  token = (await must('POST', `${project}/login/`, { login: 'admin', password: adminPassword })).token;
  await must('POST', `${project}/`, { code: map });
  await must('POST', `${project}/${map}/layers/`, { code: 'polygons' });
  const form = new FormData();
  const features = Array.from({ length: objects }, (_, i) => JSON.stringify(polygon(i)));
  form.append('file', new Blob([features.join('\n')]), 'polygons.geojsonl');
  await must('POST', `${layer}/import/?action=1`, form);
  await ask('GET', `${project}/${map}/search/?phrase=a`);
  await must('POST', `${project}/`, { code: 'notes' });
  await must('POST', `${project}/notes/layers/`, { code: 'notes' });
  await must('POST', `${notes}/structure/`, { code: 'text', type: 'string' });
  await must('POST', `${notes}/objects/`, { fields: { text: 'note' } });
  return { url: url!, ask, stop };
}

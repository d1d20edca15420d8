import type { FastifyRequest } from 'fastify';
import { uuidOfFile } from '../files/store.js';
import { parametersOf } from '../http/body.js';
import type { Services } from '../http/service.js';
import type { EarlierVersion } from '../http/versions.js';
import { findColumn } from '../layers/columns.js';
import { findLayer } from '../layers/layers.js';
import { layerItems } from './layer-items.js';
import * as translate from './translate.js';

/** How a function differs from that of 2.8: `{}` where it does not. */
export interface Difference {
  /** Turns the request into one of 2.8, before it is checked. */
  asks?(request: FastifyRequest, services: Services): void | Promise<void>;
  /** Turns an answer of 2.8, parsed, into one of the version. Each function knows the form of its own. */
  answers?(answer: unknown, request: FastifyRequest, services: Services): unknown;
}

/** The functions of a version by method and path: what is not among them does not exist in it. */
export type Differences = Readonly<Record<string, Difference>>;

type Json = Record<string, unknown>;

const same: Difference = {};

const layer: Difference = {
  answers: async (answer: Json, { gone }, services) =>
    (await layerItems(services, [answer], { isTree: false, signal: gone }))[0],
};
const tree: Difference = {
  answers: (answer: Json[], { gone, query }, services) =>
    layerItems(services, answer, {
      isTree: true,
      sr: (query as { bboxSR?: '4326' | '3857' }).bboxSR ?? '4326',
      signal: gone,
    }),
};
const changedLayer: Difference = {
  ...layer,
  asks: (request) => {
    request.body = translate.layerValues(request.body);
  },
};
/** Jobs are of 2.8: the parameter is not known here. */
function withoutJobs(request: FastifyRequest): void {
  const { query, body, upload } = request as { query: Json; body: Json; upload: unknown };
  delete query.async;
  if (upload) delete body.async;
}
const addedFile = (version: EarlierVersion): Difference => ({
  answers: (answer: Json) => translate.addedFile(answer, version),
});

/** What both versions have. */
const common: Differences = {
  'POST /login': same,
  'POST /logout': same,
  'GET /': same, // the initial settings of a map: routes.ts
  'POST /': { answers: translate.newMap },
  'GET /:map': same,
  'GET /:map/layers': tree,
  'POST /:map/publish': tree,
  'POST /:map/layers': layer,
  'GET /:map/layers/:layer': layer,
  'PUT /:map/layers/:layer': changedLayer,
  'GET /:map/layers/:layer/legend': same,
  'GET /:map/layers/:layer/structure': same,
  'PUT /:map/layers/:layer/structure/:field': same,
  'POST /:map/layers/:layer/import': { ...layer, asks: withoutJobs },
  'GET /:map/layers/:layer/export': { asks: withoutJobs },
  'GET /:map/layers/:layer/objects': same,
  'GET /:map/layers/:layer/objects/:object': same,
  'GET /:map/layers/:layer/objects/:object/geom': same,
  'PUT /:map/layers/:layer/objects/:object/geom': same,
  'PATCH /:map/layers/:layer/objects/:object/geom': same,
  'POST /:map/layers/:layer/objects/:object/files': same,
  'DELETE /:map/layers/:layer/objects/:object/files/:file': same,
  'GET /image/:file': same,
  'GET /files/:file': same, // where the path of an added file leads
};

const geometryIn20: Difference = {
  asks: (request) => {
    request.body = translate.geometryIn(request.body);
  },
  answers: (geom) => ({ geom }),
};

const in20: Differences = {
  ...common,
  'PUT /:map/layers/:layer/objects/:object/geom': geometryIn20,
  'PATCH /:map/layers/:layer/objects/:object/geom': geometryIn20,
  'POST /:map/layers/:layer/objects/:object/files': addedFile('2.0'),
};

const columnIn10: Difference = {
  asks: (request) => {
    request.body = translate.columnOf10(request.body);
  },
  answers: translate.columnFor10,
};

/** A change of a column that leaves its type out keeps it. */
const changedColumnIn10: Difference = {
  ...columnIn10,
  async asks(request, { db }) {
    request.body = translate.columnOf10(request.body);
    if (!translate.isJson(request.body) || request.body.type !== undefined) return;
    const params = request.params as { map: string; layer: string; field: string };
    const { type } = findColumn(await findLayer(db, request.caller, params, 'edit'), params.field);
    request.body = { ...request.body, type };
  },
};

const in10: Differences = {
  ...common,
  'POST /login': { asks: (request) => translate.demandUserAndPass(parametersOf(request)) },
  'PATCH /:map/layers/:layer': changedLayer,
  'GET /:map/layers/:layer/structure': {
    answers: (columns: Json[]) => columns.map(translate.columnFor10),
  },
  'PUT /:map/layers/:layer/structure/:field': columnIn10,
  'PATCH /:map/layers/:layer/structure/:field': changedColumnIn10,
  'POST /:map/layers/:layer/objects/:object/files': addedFile('1.0'),
  'DELETE /:map/layers/:layer/objects/:object/files/:file': { answers: () => ({}) },
  'GET /image/:file': {
    async asks(request, { db }) {
      const { project, ...rest } = request.params as Record<string, string>;
      const [[name, id]] = Object.entries(rest) as [[string, string]];
      request.params = { project, [name]: await uuidOfFile(db, request.caller, id) };
      request.query = { f: 'png', ...(request.query as object) };
    },
  },
};

/** Everything in which the earlier versions differ, and their functions. */
export const differences: Readonly<Record<EarlierVersion, Differences>> = { '2.0': in20, '1.0': in10 };

/** The key of a function in the tables: names of parameters do not count, HEAD is GET. */
export const keyOf = (method: string, path: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${(path.replace(/\/$/, '') || '/').replace(/:\w+/g, ':')}`;

/** A table by these keys. */
export const byKey = (table: Differences): ReadonlyMap<string, Difference> =>
  new Map(
    Object.entries(table).map(([name, difference]) => {
      const [method = '', path = ''] = name.split(' ');
      return [keyOf(method, path), difference];
    }),
  );

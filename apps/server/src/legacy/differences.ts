import type { FastifyRequest } from 'fastify';
import { uuidOfFile } from '../files/store.js';
import { parametersOf } from '../http/body/body.js';
import type { EarlierVersion } from '../http/versions.js';
import { findColumn } from '../layers/columns/columns.js';
import { findLayer } from '../layers/layers.js';
import type { Services } from '../services.js';
import { layerItems } from './layer-items.js';
import * as translate from './translate.js';

/** The difference of a function from version 2.8: `{}` for none. */
export interface Difference {
  /** Converts the request to one of 2.8 before it is validated. */
  asks?(request: FastifyRequest, services: Services): void | Promise<void>;
  /** Converts a parsed response of 2.8 to one of the version. */
  answers?(answer: unknown, request: FastifyRequest, services: Services): unknown;
}

/** The functions of a version by method and path. Functions that are missing here do not exist in it. */
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
/** Jobs exist in 2.8 only, so the parameter is ignored here. */
function withoutJobs(request: FastifyRequest): void {
  const { upload } = request;
  const { query, body } = request as { query: Json; body: Json };
  delete query.async;
  if (!upload) return;
  delete body.async;
  upload.fields = upload.fields.then(({ async: _, ...fields }) => fields);
  // A request that ends before its form has nobody to tell.
  upload.fields.catch(() => {});
}
const addedFile = (version: EarlierVersion): Difference => ({
  answers: (answer: Json) => translate.addedFile(answer, version),
});

/** Functions of both versions. */
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
  'GET /files/:file': same, // the path of an added file points here
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

/** Without a type in the body the column keeps its type. */
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

/** All differences of the earlier versions, with their functions. */
export const differences: Readonly<Record<EarlierVersion, Differences>> = { '2.0': in20, '1.0': in10 };

/** The key of a function in the tables. Names of parameters do not matter, and HEAD counts as GET. */
export const keyOf = (method: string, path: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${(path.replace(/\/$/, '') || '/').replace(/:\w+/g, ':')}`;

/** Indexes a table by these keys. */
export const byKey = (table: Differences): ReadonlyMap<string, Difference> =>
  new Map(
    Object.entries(table).map(([name, difference]) => {
      const [method = '', path = ''] = name.split(' ');
      return [keyOf(method, path), difference];
    }),
  );

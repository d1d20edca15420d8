import { badRequest } from '@cartulary/errors';
import type { Format } from '@cartulary/formats';
import { contentDisposition } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportFile } from '../../exports/export-file.js';
import { languagesOf } from '../../imports/run-import.js';
import type { Layer } from '../../layers/layers.js';
import { type ObjectQuery, withIndex } from '../../objects/store.js';
import { type Crs, crs84 } from '../common/crs.js';
import type { OgcServices } from '../services.js';
import type { ItemParameters } from './items-query.js';

/** Features of a request, and the form of their file. */
export interface AskedFile {
  layer: Layer;
  query: ObjectQuery;
  crs: Crs;
  format: Format;
}

/**
 * Sends features as a file, by the same function as an export. Files have no pages: without `limit` all features that meet
 * the conditions are sent. Throws 400 for another reference system.
 */
export async function sendItemFile(
  services: OgcServices,
  { layer, query, crs, format }: AskedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (crs !== crs84) throw badRequest(`crs: files are in ${crs84.uri}`, { parameters: ['crs'] });
  const { config, engine, workbooks, lists } = services;
  const { caller, owner, gone } = request;
  const db = services.db.for(owner);
  const { limit } = request.query as ItemParameters;
  const isChosen = (column: Layer['columns'][number]): boolean =>
    query.columns.includes(column) || column.code === 'svc_id' || column.type === 'geom';
  const { file, filename, type } = await exportFile(
    db,
    { ...layer, columns: layer.columns.filter(isChosen) },
    {
      format,
      options: {
        languages: languagesOf(layer, caller),
        wanted: query.lng === undefined ? [] : [query.lng],
        boxes: query.boxes,
        filter: query.filter,
        page: limit === undefined ? undefined : pageOf(await withIndex(services, layer, query, caller.at)),
        semaphore: lists.for(owner),
        signal: gone,
      },
      isZip: false,
      encoding: undefined,
      dialect: 'comma',
      workbooks: { limit: config.workbookLimitBytes, semaphore: workbooks.for(owner) },
      conversion: {
        engine: engine.for(owner),
        dataFolder: config.dataFolder,
        limit: config.temporaryLimitBytes,
        signal: gone,
      },
    },
  );
  return reply
    .type(type)
    .header('content-disposition', contentDisposition('attachment', filename))
    .send(file);
}

const pageOf = ({ sort, limit, offset, cursor, indexed }: ObjectQuery) => ({
  sort,
  limit,
  offset,
  cursor,
  indexed,
});

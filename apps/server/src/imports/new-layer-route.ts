import { badRequest } from '@cartulary/errors';
import { Type } from 'typebox';
import { findMap, type MapContainer } from '../containers/containers.js';
import type { App } from '../http/app-type.js';
import { answers, isOn, Path } from '../http/params.js';
import type { Layer } from '../layers/layers.js';
import { wholeUpload } from '../uploads/store.js';
import { checkImport } from './check-import.js';
import { importInRequest } from './receive.js';
import { runImport } from './run-import.js';
import { ImportAnswer, ImportQuery } from './schemas.js';
import type { TransferServices } from './services.js';
import { fileOfUpload } from './upload.js';

const NewLayerQuery = Type.Object({
  ...ImportQuery.properties,
  type: Type.Optional(
    Type.Enum(['layer', 'raster'], {
      description: 'Type of the layer as it would be made: raster for an image',
      default: 'layer',
    }),
  ),
});

/** The preview of an import into a layer that does not exist yet. */
export function newLayerRoute(app: App, services: TransferServices): void {
  const { db, config } = services;
  app.post(
    '/:map/import',
    {
      config: { token: 'required' },
      schema: {
        tags: ['transfer'],
        summary: 'What the import of an upload into a new layer of the map would do',
        description:
          'Needs `upload`, `dry_run=1` and the right to edit the map. Nothing is stored: make the layer and import the upload into it. An extension of the interface.',
        params: Path('map'),
        querystring: NewLayerQuery,
        response: answers(Type.Object({ import: ImportAnswer })),
      },
    },
    async ({ caller, owner, params, query, gone }) => {
      const map = await findMap(db, caller, params.map, 'edit');
      const { upload, type = 'layer', ...parameters } = query;
      if (upload === undefined || !isOn(query.dry_run))
        throw badRequest('Without a layer an import needs upload and dry_run=1', {
          parameters: [upload === undefined ? 'upload' : 'dry_run'],
        });
      const limits = { bytes: config.importLimitBytes, ratio: config.archiveRatio };
      const file = fileOfUpload(await wholeUpload(db, config, caller, upload), limits);
      // A new layer has no objects that could be changed, as one whose objects are replaced.
      const checked = checkImport({ ...parameters, upload, action: '1' }, config);
      const layer = blankLayer(map, type);
      return (await importInRequest(services, { owner, gone }, file, (received) =>
        runImport(services, checked, { caller, owner, layer, file: received }, { signal: gone }),
      )) as { import: object };
    },
  );
}

/** A layer as it would be made: no table has its id. */
function blankLayer(map: MapContainer, type: Layer['type']): Layer {
  const column = { id: 0, parent_id: null, name: '', names: {}, localized_name: false, format: null };
  const system = { ...column, required: false, localized_value: false };
  return {
    ...map,
    id: 0,
    map,
    type,
    data_version: 0,
    structure: 0,
    columns: [
      { ...system, code: 'svc_id', type: 'number', sort: 1 },
      { ...system, code: 'geom', type: 'geom', sort: 2 },
    ],
  };
}

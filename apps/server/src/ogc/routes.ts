import { identifyCallers } from '../access/hook.js';
import type { App } from '../http/app-type.js';
import type { TileServing } from '../tiles/serving.js';
import { sendProblem } from './common/problem.js';
import { landingRoutes } from './common/routes.js';
import { collectionRoutes } from './features/collection-routes.js';
import { itemRoutes } from './features/item-routes.js';
import { itemWriteRoutes } from './features/write-routes.js';
import { mapPictureRoutes } from './maps/map-routes.js';
import { tilesetRoutes } from './maps/tile-routes.js';
import type { OgcServices } from './services.js';

/** The doors of the OGC standards under `/ogc/<project>/`, in a scope of their own. */
export function ogcRoutes(app: App, services: OgcServices, serving: TileServing): void {
  identifyCallers(app, services);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  landingRoutes(app, services);
  collectionRoutes(app, services);
  itemRoutes(app, services);
  itemWriteRoutes(app, services);
  tilesetRoutes(app, services, serving);
  mapPictureRoutes(app, services, serving);
}

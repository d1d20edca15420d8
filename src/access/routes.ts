/** The functions about who asks, by what they are about. */
export { installationRoutes } from './installation-routes.js';
export { sessionRoutes } from './session-routes.js';
export { userRoutes } from './user-routes.js';

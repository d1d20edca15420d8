/** Routes of sessions, users and projects. */

export { ownRoutes } from './sign-in/own-routes.js';
export { sessionRoutes } from './sign-in/session-routes.js';
export { installationRoutes } from './users/installation-routes.js';
export { userRoutes } from './users/user-routes.js';
export { userSessionRoutes } from './users/user-session-routes.js';

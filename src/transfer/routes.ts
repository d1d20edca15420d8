import type { App, Services } from '../http/service.js';
export function transferRoutes(_app: App, _services: Services): void {}

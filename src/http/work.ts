import type { Config } from '../config.js';
import type { App } from './service.js';
import { busy } from './turns.js';

/** Kinds of requests of which only so many are answered at once: each waits for others, or holds something until its client has read all. */
export type Work = 'tiles' | 'lists';

/** Refuses requests beyond the limit of their route's `config.work` with `busy`, at once and before anything is asked of the database. */
export function limitWork(app: App, { tileRequests, listRequests }: Config): void {
  const limits: Readonly<Record<Work, number>> = { tiles: tileRequests, lists: listRequests };
  const open: Record<Work, number> = { tiles: 0, lists: 0 };
  app.addHook('onRequest', async (request, reply) => {
    const { work } = request.routeOptions.config;
    if (!work) return;
    if (open[work] >= limits[work]) throw busy();
    open[work] += 1;
    reply.raw.once('close', () => {
      open[work] -= 1;
    });
  });
}

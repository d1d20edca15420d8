import type { Config } from '../config.js';
import { beginShort, yieldToOthers } from '../event-loop.js';
import { ownerOf } from './owner.js';
import type { App, Services } from './service.js';
import { createTurns, type Turns } from './turns.js';

/**
 * Kinds of requests of which only so many are answered at once. A request takes its place when its body has come and its caller
 * is known, and gives it back when its answer is ready to be sent: who reads slowly, or not at all, holds none.
 */
export type Work = 'tiles' | 'lists' | 'exports';

/** As many lists at once as there are connections to the database. */
export const listTurns = ({ databaseConnections, listRequests, databaseWait }: Config): Turns =>
  turnsOf(databaseConnections, listRequests, databaseWait);

/** So many requests at once out of those that are open, the others wait. */
function turnsOf(atOnce: number, open: number, patience: number, perOwner = atOnce): Turns {
  const limit = Math.min(atOnce, open);
  return createTurns(limit, { waiting: open - limit, patience, perOwner });
}

/** Lets requests wait for a place of their route's `config.work`, shared among their owners. Those beyond its limit are refused with `busy`. Lists and exports go on when no others do. */
export function limitWork(app: App, { config, lists }: Pick<Services, 'config' | 'lists'>): void {
  const { tileRequests, renderQueue, renderWait, listRequests, transferQueue, databaseWait } = config;
  // What is made before the first byte is sent may take long: half of the places are left to others.
  const files = Math.max(1, Math.min(transferQueue, listRequests));
  const kinds: Readonly<Record<Work, Turns>> = {
    tiles: turnsOf(renderQueue, tileRequests, renderWait),
    lists,
    exports: turnsOf(files, listRequests, databaseWait, Math.ceil(files / 2)),
  };
  app.decorateRequest('leaveWork');
  app.addHook('onRequest', async (request, reply) => {
    const { work } = request.routeOptions.config;
    if (work === 'lists' || work === 'exports') await yieldToOthers();
    else reply.raw.once('close', beginShort());
  });
  app.addHook('preHandler', async (request, reply) => {
    const { work } = request.routeOptions.config;
    if (!work) return;
    const leave = await kinds[work].for(ownerOf(request.caller, request.ip)).enter(request.gone);
    request.leaveWork = leave;
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.leaveWork?.();
    done();
  });
}

import { beginShortRequest, createSemaphore, type Semaphore, takeTurn } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import type { App, WorkKind } from './app-type.js';
import { ownerOf } from './owner.js';

/** Services that this file uses. */
export interface WorkServices {
  readonly config: Config;
  readonly lists: Semaphore;
}

/** Limits lists to the number of database connections, and those of one owner to half of it. */
export const listSemaphore = ({ databaseConnections, listRequests, databaseWait }: Config): Semaphore =>
  limitOf(databaseConnections, listRequests, databaseWait, Math.ceil(databaseConnections / 2));

/** `running` requests run at once, and the rest of `open` requests wait. */
function limitOf(running: number, open: number, maxWaitMs: number, perOwner = running): Semaphore {
  const limit = Math.min(running, open);
  return createSemaphore(limit, { maxWaiting: open - limit, maxWaitMs: maxWaitMs, perOwner });
}

function workOf(request: FastifyRequest): WorkKind | undefined {
  const { work } = request.routeOptions.config;
  return typeof work === 'function' ? work(request) : work;
}

/** Takes a place for a request, until its response is ready or its client is gone. */
async function takePlace(places: Semaphore, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const leave = await places.for(request.owner).enter(request.gone);
  request.leaveWork = leave;
  reply.raw.once('close', leave);
  if (reply.raw.closed) leave();
}

/**
 * Limits the running requests of each `config.work`, shared fairly among their owners. Requests beyond the
 * queue are refused with `busy`. Lists and exports yield to short requests.
 */
export function limitWork(app: App, { config, lists }: WorkServices): void {
  const { tileRequests, renderQueue, renderWait, listRequests, transferQueue, databaseWait } = config;
  // Exports may do long work before their first byte, so one owner takes at most half of the places.
  const files = Math.max(1, Math.min(transferQueue, listRequests));
  const kinds: Readonly<Record<WorkKind, Semaphore>> = {
    tiles: limitOf(renderQueue, tileRequests, renderWait),
    lists,
    exports: limitOf(files, listRequests, databaseWait, Math.ceil(files / 2)),
  };
  app.decorateRequest('leaveWork');
  app.decorateRequest('owner', {
    getter() {
      return ownerOf(this.caller, this.ip);
    },
  });
  app.addHook('onRequest', (request, reply, done) => {
    const work = workOf(request);
    if (work === 'lists' || work === 'exports') {
      takeTurn(ownerOf(undefined, request.ip)).then(() => done(), done);
      return;
    }
    reply.raw.once('close', beginShortRequest());
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const work = workOf(request);
    if (!work) return void done();
    takePlace(kinds[work], request, reply).then(() => done(), done);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.leaveWork?.();
    done();
  });
}

import { beginShortRequest, createSemaphore, type Semaphore, takeTurn } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.js';
import type { App, WorkKind } from '../app-type.js';
import { FairShare } from './fair-share.js';
import { ownerOf } from './owner.js';

/** Services that this file uses. */
export interface WorkServices {
  readonly config: Config;
  readonly lists: Semaphore;
}

/** Limits lists to the number of database connections, and those of one owner to half of it. */
export const listSemaphore = ({ databaseConnections, listRequests, databaseWaitMs }: Config): Semaphore =>
  limitOf(databaseConnections, listRequests, databaseWaitMs, Math.ceil(databaseConnections / 2));

/** `running` requests run at once, and the rest of `open` requests wait. */
function limitOf(running: number, open: number, maxWaitMs: number, perOwner = running): Semaphore {
  const limit = Math.min(running, open);
  return createSemaphore(limit, { maxWaiting: open - limit, maxWaitMs: maxWaitMs, perOwner });
}

const fairShareOf = (config: Config): FairShare | undefined =>
  config.heavyRequests
    ? new FairShare({
        running: config.heavyRequests,
        maxWaiting: config.tileRequests + config.listRequests,
        maxWaitMs: config.databaseWaitMs,
      })
    : undefined;

function workOf(request: FastifyRequest): WorkKind | undefined {
  const { work } = request.routeOptions.config;
  return typeof work === 'function' ? work(request) : work;
}

/** What a request waits for, in this order. Gives the function that frees it. */
type Entry = (owner: string, gone: AbortSignal) => Promise<() => void>;

/** Takes places for a request, until its response is ready or its client is gone. */
async function takePlaces(
  entries: readonly Entry[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const leaves: (() => void)[] = [];
  const leave = (): void => {
    for (const one of leaves) one();
  };
  request.leaveWork = leave;
  reply.raw.once('close', leave);
  for (const enter of entries) {
    leaves.push(await enter(request.owner, request.gone));
    if (reply.raw.closed) leave();
  }
}

/**
 * Limits the running requests of each `config.work`, shared fairly among their owners, and all requests of heavy owners. Requests
 * beyond the queue are refused with `busy`. Lists and exports yield to short requests.
 */
export function limitWork(app: App, { config, lists }: WorkServices, share = fairShareOf(config)): void {
  const { tileRequests, renderQueue, renderWaitMs, listRequests, transferQueue, databaseWaitMs } = config;
  // Exports may do long work before their first byte, so one owner takes at most half of the places.
  const files = Math.max(1, Math.min(transferQueue, listRequests));
  const kinds: Readonly<Record<WorkKind, Semaphore>> = {
    tiles: limitOf(renderQueue, tileRequests, renderWaitMs),
    lists,
    exports: limitOf(files, listRequests, databaseWaitMs, Math.ceil(files / 2)),
  };
  const entriesOf = (request: FastifyRequest): Entry[] => {
    const { upload, isProbe, token } = request.routeOptions.config;
    const work = workOf(request);
    return [
      // How long an upload runs is up to its client. What becomes of it has limits of its own. Who signs in or checks a token has no account
      // yet, and must not wait for others at the same address.
      ...(share && !upload && !isProbe && token !== 'own'
        ? [(owner: string, gone: AbortSignal) => share.enter(owner, gone)]
        : []),
      ...(work ? [(owner: string, gone: AbortSignal) => kinds[work].for(owner).enter(gone)] : []),
    ];
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
    const entries = entriesOf(request);
    if (!entries.length) return void done();
    takePlaces(entries, request, reply).then(() => done(), done);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.leaveWork?.();
    done();
  });
}

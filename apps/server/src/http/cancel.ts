import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '@cartulary/errors';
import type { App } from './app-type.js';

/** Node writes a warning where a signal has more than ten listeners, as the many parts of a request's work are. */
function listenedByMany(controller: AbortController): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Aborts the work of a request. Most requests end before anything asks for the signal, so it is made when it is first asked for. */
class Cancellation {
  #controller: AbortController | undefined;
  #reason: unknown;

  get signal(): AbortSignal {
    this.#controller ??= listenedByMany(new AbortController());
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** Sets `request.gone`, which aborts the work of a request when its client disconnects or `stopping` is aborted. */
export function cancelWhenGone(app: App, stopping: AbortSignal): void {
  const open = new Set<Cancellation>();
  stopping.addEventListener('abort', () => {
    for (const cancellation of open) cancellation.abort(stopping.reason);
  });
  app.decorateRequest('upload');
  app.decorateRequest('cancellation');
  app.decorateRequest('gone', {
    getter() {
      return this.cancellation!.signal;
    },
  });
  app.addHook('onRequest', (request, { raw }, done) => {
    request.cancellation = watch(raw, open);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    request.upload?.stream.destroy();
    done();
  });
}

/** The cancellation of a response, among the open ones until it is closed. */
function watch(response: ServerResponse, open: Set<Cancellation>): Cancellation {
  const cancellation = new Cancellation();
  open.add(cancellation);
  response.once('close', () => {
    open.delete(cancellation);
    if (!response.writableFinished) cancellation.abort(new ServiceError('timeout', 'The client has gone'));
  });
  return cancellation;
}

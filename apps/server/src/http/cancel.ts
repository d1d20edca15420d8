import { ServiceError } from '@cartulary/errors';
import type { App } from './app-type.js';

/** Sets `request.gone`, which aborts the work of a request when its client disconnects or `stopping` is aborted. */
export function cancelWhenGone(app: App, stopping: AbortSignal): void {
  const open = new Set<AbortController>();
  stopping.addEventListener('abort', () => {
    for (const controller of open) controller.abort(stopping.reason);
  });
  app.decorateRequest('upload');
  app.decorateRequest('gone');
  app.addHook('onRequest', async (request, reply) => {
    const controller = new AbortController();
    request.gone = controller.signal;
    open.add(controller);
    reply.raw.once('close', () => {
      open.delete(controller);
      if (!reply.raw.writableFinished) controller.abort(new ServiceError('timeout', 'The client has gone'));
    });
  });
  app.addHook('onResponse', async (request) => {
    request.upload?.stream.destroy();
  });
}

import type { App } from '../app-type.js';

/** The renderers, which draw beside writes. */
interface Drawing {
  /** Pauses them for a moment, until the returned function is called. */
  pauseForWrite(): () => void;
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A write is short and its client waits for it, so new drawing starts after it. A picture that is asked for by POST is none. */
export function prioritizeWrites(app: App, drawing: Drawing): void {
  app.addHook('onRequest', ({ method, routeOptions }, reply, done) => {
    if (!readMethods.has(method) && routeOptions.config.work !== 'tiles')
      reply.raw.once('close', drawing.pauseForWrite());
    done();
  });
}

import { startEmbedded } from '@cartulary/database';
import type { Log } from '@cartulary/runtime';
import type { Config } from '../config.js';
import { loadDemo } from '../demo/load.js';
import { openInstallation } from './installation.js';
import { type Serving, startServing } from './serving.js';

export interface RunningServer extends Serving {
  /** Resolves when the demo world is complete or not wanted; rejects when loading failed. */
  demo: Promise<void>;
}

/**
 * Starts the whole service in this process, and then loads the demo world in the background. When a step
 * fails, the parts that have started are stopped. `say` receives the generated password of the administrator, and the
 * progress of the demo world.
 * `startDatabase` may supply an embedded database that runs already.
 */
export async function startServer(
  config: Config,
  log: Log,
  say: (line: string) => void = () => {},
  startDatabase: typeof startEmbedded = startEmbedded,
): Promise<RunningServer> {
  const installation = await openInstallation(config, log, say, startDatabase);
  try {
    const { stop, demo, ...serving } = withDemo(await startServing(installation, config, log), log, say);
    const stopAll = async (): Promise<void> => {
      await stop();
      await installation.stop();
    };
    return { ...serving, demo, stop: stopAll };
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

/** Loads the demo world in the background, until the service stops. A failure is logged. */
export function withDemo(
  serving: Serving,
  log: Log,
  say: (line: string) => void,
): Serving & Pick<RunningServer, 'demo'> {
  const leaving = new AbortController();
  const demo = loadDemo(serving.services, say, leaving.signal);
  demo.catch((error) => {
    if (leaving.signal.aborted) log.info('the demo world is not complete: the next start loads it anew');
    else log.error({ err: error }, 'the demo world was not loaded; it is tried again at the next start');
  });
  return {
    ...serving,
    demo,
    async stop() {
      leaving.abort();
      await Promise.all([demo.catch(() => {}), serving.stop()]);
    },
  };
}

import type { Worker } from 'node:cluster';

/** What Node's cluster module says when it hands a connection to a worker, and what that answers. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  key?: string;
  seq?: number;
  ack?: number;
}

/** How connections come to a worker. */
export interface HandingOver {
  /** Whether it has taken all that it was given. */
  isSettled(): boolean;
  /** It is given no more; when no worker is, nobody listens any more. */
  end(): void;
}

/**
 * Watches how connections are handed to a worker, to do two things that Node's cluster module does not.
 * - Those that a worker was given but had not taken when it died would be forgotten: their clients would wait for ever. The module
 *   does hand on what a worker refuses, so this refuses in place of the dead one.
 * - A worker that stops listening refuses those that are on their way to it, which are cut where no other is left. So it is
 *   taken off the list here, as if it had stopped, while it goes on to take what it was given.
 *
 * The messages are Node's own and nowhere documented; of others nothing is kept, and all is as it was.
 */
export function watchHandingOver(worker: Worker): HandingOver {
  const given = new Set<number>();
  const keys = new Set<string>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (message: ClusterMessage, ...rest: unknown[]) => boolean;
  const tell = (message: ClusterMessage & { accepted?: boolean }): void =>
    void child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ...message });
  const noting = (message: ClusterMessage, ...rest: unknown[]): boolean => {
    if (message?.cmd === 'NODE_CLUSTER') {
      if (message.key !== undefined) keys.add(message.key);
      if (message.act === 'newconn' && message.seq !== undefined) given.add(message.seq);
    }
    return send(message, ...rest);
  };
  child.send = noting as typeof child.send;
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) given.delete(ack);
  });
  child.once('exit', () => {
    for (const ack of [...given]) tell({ ack, accepted: false });
  });
  return {
    isSettled: () => given.size === 0,
    end() {
      for (const key of keys) tell({ act: 'close', key });
    },
  };
}

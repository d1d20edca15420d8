import type { Worker } from 'node:cluster';

/** A message by which the cluster module of Node sends a connection to a worker, or the answer to it. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  key?: string;
  seq?: number;
  ack?: number;
}

/**
 * Watches the handover of connections to a worker, for two cases that the cluster module of Node does not handle:
 *
 * - The cluster module forgets connections that a worker had not accepted when it died, and their clients wait for ever.
 *   Connections that a worker refuses go to another worker, so this class refuses in the name of the dead one.
 * - A worker that stops listening refuses connections that are on their way to it. They are cut where no other worker is
 *   left. So this class takes the worker off the list early, while the worker still accepts the connections that were sent.
 *
 * The messages are internal to Node and not documented. With unknown messages this class does nothing.
 */
export class ConnectionHandover {
  /** Sequence numbers of connections that were sent and not acknowledged. */
  readonly #unacknowledged = new Set<number>();
  /** Keys of the listening handles that the worker shares. */
  readonly #handleKeys = new Set<string>();
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
    const { process: child } = worker;
    const send = child.send.bind(child) as (message: ClusterMessage, ...rest: unknown[]) => boolean;
    const noteAndSend = (message: ClusterMessage, ...rest: unknown[]): boolean => {
      this.#note(message);
      return send(message, ...rest);
    };
    child.send = noteAndSend as typeof child.send;
    child.on('internalMessage', ({ ack }: ClusterMessage) => {
      if (ack !== undefined) this.#unacknowledged.delete(ack);
    });
    child.once('exit', () => {
      for (const ack of [...this.#unacknowledged]) this.#emit({ ack, accepted: false });
    });
  }

  /** Whether the worker has accepted all connections that were sent to it. */
  isSettled(): boolean {
    return this.#unacknowledged.size === 0;
  }

  /** Sends no more connections to the worker. When that holds for all workers, the port is closed. */
  end(): void {
    for (const key of this.#handleKeys) this.#emit({ act: 'close', key });
  }

  #note(message: ClusterMessage): void {
    if (message?.cmd !== 'NODE_CLUSTER') return;
    if (message.key !== undefined) this.#handleKeys.add(message.key);
    if (message.act === 'newconn' && message.seq !== undefined) this.#unacknowledged.add(message.seq);
  }

  /** Delivers a message to the cluster module as if the worker had sent it. */
  #emit(message: ClusterMessage & { accepted?: boolean }): void {
    this.#worker.process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ...message });
  }
}

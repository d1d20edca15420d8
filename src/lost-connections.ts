import type { Worker } from 'node:cluster';

/** What Node's cluster module says when it hands a connection to a worker, and what that answers. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}

/**
 * Hands connections on that a worker was given but had not taken when it died. Node's cluster module forgets them: their
 * clients would wait for ever. It does hand on what a worker refuses, so this refuses in place of the dead one. The
 * messages are Node's own and nowhere documented; of others nothing is kept, and all is as it was.
 */
export function handOnLost(worker: Worker): void {
  const given = new Set<number>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (message: ClusterMessage, ...rest: unknown[]) => boolean;
  const noting = (message: ClusterMessage, ...rest: unknown[]): boolean => {
    if (message?.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined)
      given.add(message.seq);
    return send(message, ...rest);
  };
  child.send = noting as typeof child.send;
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) given.delete(ack);
  });
  child.once('exit', () => {
    for (const ack of [...given])
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
  });
}

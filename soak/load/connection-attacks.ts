import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { rawClient, trickle } from '@cartulary/server/support/raw-client.js';
import { type Attacker, api, maxConnectionMs, own } from './attack.js';

/** Connections that read or write slowly, or not at all. */
export const connections: Record<string, Attacker> = {
  'slow readers': {
    clients: 10,
    async act({ url, token, from }) {
      const client = await rawClient(url, from);
      const timer = setTimeout(() => client.socket.destroy(), maxConnectionMs);
      client.ask('GET', `${own}a/objects/?limit=20000&returnGeom=1&fields=*`, {
        authorization: `Bearer ${token}`,
      });
      await client.readSlowly(2_000).catch(() => {});
      clearTimeout(timer);
    },
  },
  'slow writers': {
    clients: 10,
    async act({ url, token, from }) {
      const client = await rawClient(url, from);
      const timer = setTimeout(() => client.socket.destroy(), maxConnectionMs);
      client.ask('POST', `${own}a/import/`, {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': '90000000',
      });
      await trickle(client, '{"type": ', 500);
      clearTimeout(timer);
    },
  },
  'idle connections': {
    clients: 20,
    async act({ url, from }) {
      const { socket } = await rawClient(url, from);
      socket.resume();
      socket.setTimeout(maxConnectionMs, () => socket.destroy());
      if (!socket.closed) await once(socket, 'close');
    },
  },
};

/** Connections that use HTTP in unusual ways. */
export const protocol: Record<string, Attacker> = {
  'slow headers': {
    clients: 10,
    async act({ url, from }) {
      const client = await rawClient(url, from);
      const timer = setTimeout(() => client.socket.destroy(), maxConnectionMs);
      client.socket.resume();
      client.socket.write(`GET ${api}/ HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-slow: `);
      await trickle(client, 'x', 500);
      clearTimeout(timer);
    },
  },
  'aborted requests': {
    clients: 5,
    async act({ url, token, from, random }) {
      const { socket, ask: request } = await rawClient(url, from);
      const paths = ['?limit=50000&fields=*&returnGeom=1&sort=name', '?limit=1', '123/'];
      request('GET', `${own}a/objects/${random.pick(paths)}`, { authorization: `Bearer ${token}` });
      await sleep(random.below(60));
      socket.destroy();
    },
  },
  'pipelined requests': {
    clients: 2,
    async act({ url, token, from, random }) {
      const client = await rawClient(url, from);
      const timer = setTimeout(() => client.socket.destroy(), maxConnectionMs);
      for (let count = 0; count < 300; count++)
        client.ask('GET', `${own}a/objects/?limit=${random.below(2_000)}&returnGeom=1&fields=*`, {
          authorization: `Bearer ${token}`,
        });
      client.socket.end();
      await (random.chance(0.5) ? client.ended() : client.readSlowly(20_000).catch(() => {}));
      clearTimeout(timer);
    },
  },
  'bodies announced and never sent': {
    clients: 5,
    async act({ url, token, from }) {
      const client = await rawClient(url, from);
      const timer = setTimeout(() => client.socket.destroy(), maxConnectionMs);
      client.ask('POST', `${own}a/import/`, {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': '90000000',
        expect: '100-continue',
      });
      await client.ended();
      clearTimeout(timer);
    },
  },
};

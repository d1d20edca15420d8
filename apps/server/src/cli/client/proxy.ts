import { request as plain } from 'node:http';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CommandFailure } from '../failure.js';

/** Timeout of a connection to a proxy, ms. */
const connectMs = 30_000;

/** The proxy of the environment for an address, by the rules of curl; undefined for none. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  const value = (name: string): string => env[name] || env[name.toUpperCase()] || '';
  // In CGI a request header could set HTTP_PROXY in capitals. curl ignores it, too.
  const named = url.protocol === 'https:' ? value('https_proxy') : (env.http_proxy ?? '');
  const text = named || value('all_proxy');
  if (!text || isExempt(url, value('no_proxy'))) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== 'http:')
    throw new CommandFailure(`The proxy '${text}' cannot be used`, 'Give one as http://host:port, or none.');
  return proxy;
}

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

function isExempt({ hostname, port }: URL, list: string): boolean {
  if (isLoopback(hostname)) return true;
  return list
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = '', at] = /^\*?\.?([^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      const isHost = entry === '*' || (name !== '' && (hostname === name || hostname.endsWith(`.${name}`)));
      return isHost && (at === undefined || at === port);
    });
}

/** The options of a request through the proxy of the environment; empty without one. */
export async function tunnelThrough(
  url: URL,
  path: string,
): Promise<{ headers?: Record<string, string>; options?: object }> {
  const proxy = proxyFor(url);
  if (!proxy) return {};
  const { username, password } = proxy;
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers: Record<string, string> = username
    ? { 'proxy-authorization': `Basic ${secret.toString('base64')}` }
    : {};
  const at = { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: proxy.port || 80 };
  if (url.protocol === 'http:') return { headers, options: { ...at, path: `${url.origin}${path}` } };
  const target = `${url.hostname}:${url.port || 443}`;
  const socket = await new Promise<Socket>((resolve, reject) => {
    plain({ ...at, method: 'CONNECT', path: target, headers: { host: target, ...headers } })
      .setTimeout(connectMs, () => reject(new CommandFailure(`The proxy ${proxy.host} does not answer`)))
      .once('connect', ({ statusCode }, tunnel) =>
        statusCode === 200
          ? resolve(tunnel)
          : reject(new CommandFailure(`The proxy ${proxy.host} refuses with status ${statusCode}`)),
      )
      .once('error', ({ message }) =>
        reject(new CommandFailure(`The proxy ${proxy.host} cannot be reached: ${message}`)),
      )
      .end();
  });
  return {
    options: { agent: false, createConnection: () => connectTls({ socket, servername: url.hostname }) },
  };
}

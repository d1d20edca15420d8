import { InvalidArgumentError } from 'commander';

/** The address of a service. */
export interface Address {
  /** For display, without a slash at the end. */
  readonly shown: string;
  /** The Unix socket of a service in this process. */
  readonly socketPath?: string;
  /** The path before `/api`: empty, or the path that a proxy adds. */
  readonly basePath: string;
  readonly url: URL;
  /** The project in the address, if any. */
  readonly project?: string;
}

const hint = 'Give the address of a service, such as http://127.0.0.1:8080 or https://maps.example.org.';

/** Parses the address of a service, also that of its interface with a project. Throws for commander. */
export function readAddress(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError(hint);
  if (url.username || url.password)
    throw new InvalidArgumentError('It must hold no user and no password: use a token.');
  const [, before = '', project] =
    /^(.*?)(?:\/api(?:\/[\d.]+(?:\/([^/]+))?)?)?\/*$/.exec(url.pathname.replace(/\/+$/, '')) ?? [];
  return {
    shown: `${url.origin}${before}`,
    basePath: before,
    url: new URL(url.origin),
    ...(project === undefined ? {} : { project: decodeURIComponent(project) }),
  };
}

export const socketAddress = (socketPath: string): Address => ({
  shown: 'the data folder',
  socketPath,
  basePath: '',
  url: new URL('http://localhost'),
});

import { InvalidArgumentError } from 'commander';

/** The address of a service. */
export interface Address {
  /** For display, without a slash at the end. */
  readonly shown: string;
  /** The Unix socket of a service in this process. */
  readonly socketPath?: string;
  /** Where browsers find the service, without a slash at the end; undefined when that is not known. */
  readonly pages: string | undefined;
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
    pages: `${url.origin}${before}`,
    basePath: before,
    url: new URL(url.origin),
    ...(project === undefined ? {} : { project: decodeURIComponent(project) }),
  };
}

/** The address of a service in this process. `pages`: where the server on the same data will be found. */
export const socketAddress = (socketPath: string, pages: string | undefined): Address => ({
  shown: 'the data folder',
  socketPath,
  pages,
  basePath: '',
  url: new URL('http://localhost'),
});

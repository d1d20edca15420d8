import { ServiceError } from '@cartulary/errors';
import type { App } from './app-type.js';
import { truncatedHeader } from './headers/truncated.js';
import type { sendError } from './reply.js';

/** The methods of each path, in the form in which the path was registered. */
export type PathMethods = ReadonlyMap<string, ReadonlySet<string>>;

/** The methods of the interface, in the order of the header `Allow`. */
export const interfaceMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const isInterfaceMethod = (method: string): boolean =>
  (interfaceMethods as readonly string[]).includes(method);

/** Response headers that scripts of other origins may read. */
export const responseHeaders = [
  truncatedHeader,
  'Content-Bbox',
  'Content-Crs',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'Tus-Resumable',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Changed-Texts',
];

/** Collects the methods of every path as routes are added. */
export function collectMethods(app: App): PathMethods {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const methods = methodsOf.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) methods.add(method);
    methodsOf.set(route.url, methods);
  });
  return methodsOf;
}

/** Answers OPTIONS with 204 and `Allow`, and methods that a path does not have with 405 and `Allow`, which `send` writes. */
export function answerOtherMethods(app: App, registered: PathMethods, send: typeof sendError): void {
  for (const [url, methods] of [...registered]) {
    if (url.includes('*')) continue;
    const has = interfaceMethods.filter((method) => methods.has(method));
    const allow = [...has, 'OPTIONS'].join(', ');
    if (!methods.has('OPTIONS')) {
      app.options(url, { schema: { hide: true } }, (_request, reply) =>
        reply.code(204).header('allow', allow).send(),
      );
    }
    const others = interfaceMethods.filter((method) => method !== 'HEAD' && !methods.has(method));
    if (!others.length) continue;
    app.route({
      method: others,
      url,
      schema: { hide: true },
      handler: (request, reply) =>
        send(new ServiceError('method_not_allowed'), request, reply.header('allow', allow)),
    });
  }
}

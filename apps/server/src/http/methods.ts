import { ServiceError } from '../errors.js';
import { sendError } from './reply.js';
import type { App } from './service.js';

/** The methods of each path, in the form in which the path was registered. */
export type PathMethods = ReadonlyMap<string, ReadonlySet<string>>;

/** The methods that the interface knows, in the order in which answers list them. */
export const interfaceMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Headers that a program in a page may read. */
export const responseHeaders = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Link',
  'Location',
  'Retry-After',
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

/** Answers OPTIONS with 204 and `Allow`, and methods that a path does not have with 405 and `Allow`. */
export function answerOtherMethods(app: App, known: PathMethods): void {
  for (const [url, methods] of [...known]) {
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
        sendError(new ServiceError('method_not_allowed'), request, reply.header('allow', allow)),
    });
  }
}

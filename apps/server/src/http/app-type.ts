import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

/** The Fastify app that every `routes.ts` receives. The types of a request come from its TypeBox schema. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A file that is being uploaded. The receiver reads `stream` to its end or destroys it. */
export interface Upload {
  /** Name of the form field. */
  field: string;
  /** The name that the client sent: not a path, and not trusted. */
  filename: string;
  mime: string;
  stream: Readable;
  /**
   * All fields of the form, including those after the file. Resolves when the stream has been read to its
   * end.
   */
  fields: Promise<Record<string, string>>;
}

/**
 * Kinds of requests whose number at one time is limited. A request takes its place when its body is complete
 * and its caller is known, and releases it when its response is ready. So slow readers hold no places.
 */
export type WorkKind = 'tiles' | 'lists' | 'exports';

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the request, if any. */
    token: string | undefined;
    /** The first file of a multipart body; the fields before it are the body. */
    upload: Upload | undefined;
    /** Whether the body is larger than one piece of the JSON parser. */
    hasLargeBody: boolean;
    /**
     * Aborted when the client disconnects, or when the service stops and the time for requests is over.
     * Routes pass it to the database and to long work.
     */
    readonly gone: AbortSignal;
    /** What aborts `gone`; undefined for requests that the framework itself refuses. */
    cancellation: { readonly signal: AbortSignal } | undefined;
    /** The owner of slots that the request takes (`limits/owner.ts`). Before the caller is known, its address. */
    readonly owner: string;
    /** Releases the places that the request has taken (`limits/work.ts`). */
    leaveWork: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /**
     * 'required': 401 without a token (column Token of the interface). 'own': the handler checks the token
     * itself.
     */
    token?: 'required' | 'own';
    /** The kind of work whose number at one time is limited; a function where it depends on the form of the answer. */
    work?: WorkKind | ((request: FastifyRequest) => WorkKind | undefined);
    /** Tells whether the service answers: it never waits for other requests. */
    isProbe?: true;
    /** The body is a file or contains one, and the route limits its size while it reads it. */
    upload?: true;
    /** Whether a JSON body may carry the key `token` (the authentication functions). */
    tokenInBody?: boolean;
  }
}

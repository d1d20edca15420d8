import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Caller } from '../access/caller.js';
import type { IdentityProvider } from '../access/external.js';
import type { MakeCard } from '../cards/cards.js';
import type { Config } from '../config.js';
import type { Database } from '../db/pool.js';
import type { ExternalPictures } from '../external/pictures.js';
import type { IconFiles } from '../icons/icons.js';
import type { ResizePicture } from '../images/resizer.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Indexer } from '../layers/indexer.js';
import type { FileStorage } from '../storage/storage.js';
import type { RendererPool } from '../tiles/pool.js';
import type { Engine } from '../transfer/engine/engine.js';
import type { Upload } from './body.js';
import type { Turns } from './turns.js';
import type { Work } from './work.js';

/** The Fastify app as every `routes.ts` gets it: types of a request come from its TypeBox schema. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Where a part of the service reports what the operator should know. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** What is made once at the start and passed down. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  /** Who vouches for users of `ext-login`; undefined where nobody does. */
  readonly identityProvider: IdentityProvider | undefined;
  /** The bytes of files. */
  readonly storage: FileStorage;
  /** The icons of projects as files, for styles. */
  readonly icons: IconFiles;
  readonly renderers: RendererPool;
  /** What other servers draw. */
  readonly externalPictures: ExternalPictures;
  /** What reads and writes the formats of others. */
  readonly engine: Engine;
  /** Of lists, searches, and the slices of those that are sent. */
  readonly lists: Turns;
  /** Of all imports. */
  readonly imports: Turns;
  /** Of the exports that are jobs; all others go at the pace of their reader. */
  readonly exports: Turns;
  /** Of workbooks that are made in memory. */
  readonly workbooks: Turns;
  readonly jobs: Jobs;
  readonly resizePicture: ResizePicture;
  readonly indexer: Indexer;
  readonly makeCard: MakeCard;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `access/hook.ts` on every route under a project. */
    caller: Caller;
    /** The token of the request, if it carries one. */
    token: string | undefined;
    /** The first file of a multipart body; the fields before it are the body. */
    upload: Upload | undefined;
    /** The body is larger than what is parsed at once. */
    hasLargeBody: boolean;
    /** Aborted when the client has gone, or the service stops and gives it no more time: hand it to the database and to long work. */
    gone: AbortSignal;
    /** Gives the place of `config.work` back; undefined where it has none. */
    leaveWork: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /** 'required': 401 without a token (the interface's column Token). 'own': the handler judges the token itself. */
    token?: 'required' | 'own';
    /** Of which only so many are answered at once. */
    work?: Work;
    /** The body is a file, or has one: the function keeps a limit of its own while it reads it. */
    upload?: true;
    /** A JSON body may carry the key `token` (the authentication functions). */
    tokenInBody?: boolean;
  }
}

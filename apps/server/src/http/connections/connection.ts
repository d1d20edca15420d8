import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Pace } from './pace.js';

/** The state of an open connection. */
export interface Connection {
  readonly socket: Socket;
  readonly network: string;
  readonly uploading: Pace;
  readonly reading: Pace;
  /** The newest request whose body may be incomplete. */
  receiving: { request: IncomingMessage; response: ServerResponse } | undefined;
  /** The newest request with a body, and the bytes of the connection before it. */
  body: { request: IncomingMessage; response: ServerResponse; before: number } | undefined;
  /** The newest response that waits for no other response. */
  answering: ServerResponse | undefined;
  /** The newest response. */
  newest: ServerResponse | undefined;
  /** Pipelined responses that wait for the one that is being sent, each with the response directly before it. */
  readonly behind: Map<ServerResponse, ServerResponse>;
}

// The whole module: Node.js 18 has no `hash`, and must still be able to say that it is too old.
import * as crypto from 'node:crypto';

/** SHA-256 of a text (its UTF-8) or of bytes, in base64 for addresses: 43 characters. */
export const digestOf = (data: string | Uint8Array): string => crypto.hash('sha256', data, 'base64url');

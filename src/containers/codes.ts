import { randomBytes } from 'node:crypto';
import { ServiceError } from '../errors.js';

/** First words of paths under a project that the service uses itself. */
const reservedForMaps = new Set([
  'maps',
  'users',
  'image',
  'login',
  'logout',
  'authorized',
  'ext-login',
  'ext-auth',
  'rights',
  'jobs',
  'files',
  'openapi.json',
  'docs',
]);

const pattern = /^[A-Za-z0-9_-]{1,63}$/;

/** Checks the code of a map, folder or layer. Throws `code_invalid` or `code_reserved`. */
export function checkCode(code: string, kind: 'map' | 'folder' | 'layer'): string {
  if (!pattern.test(code)) {
    throw new ServiceError(
      'code_invalid',
      'A code has 1 to 63 Latin letters, digits, underscores and hyphens',
      { code: code.slice(0, 200) },
    );
  }
  if (kind === 'layer' && /^[0-9]/.test(code)) {
    throw new ServiceError('code_invalid', 'The code of a layer does not start with a digit', { code });
  }
  if (kind === 'map' && reservedForMaps.has(code))
    throw new ServiceError('code_reserved', `The code '${code}' is reserved by the service`, { code });
  return code;
}

/** A code for a folder or layer that was sent without one. */
export const generateCode = (kind: 'folder' | 'layer'): string => `${kind}_${randomBytes(5).toString('hex')}`;

/** The same error for a code that is in use, whether found by a look or by the unique index. */
export const codeTaken = (code: string): ServiceError =>
  new ServiceError('code_taken', `The code '${code}' is already in use`, { code });

/** Whether the database refused a row because its code is in use (SQLSTATE 23505, unique_violation). */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '23505';

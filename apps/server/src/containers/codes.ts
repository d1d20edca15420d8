import { randomBytes } from 'node:crypto';
import { sqlState } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';

/** First words of paths below a project that the service uses itself. */
const reservedForMaps = new Set([
  'maps',
  'users',
  'image',
  'login',
  'logout',
  'authorized',
  'ext-login',
  'ext-auth',
  'administration',
  'deletion',
  'rights',
  'jobs',
  'files',
  'icons',
  'openapi.json',
  'docs',
]);

const pattern = /^[A-Za-z0-9_-]{1,63}$/;

/** Whether a text can be a code at all. If not, nothing has it. */
export const isPossibleCode = (text: string): boolean => pattern.test(text);

/** Checks the code of a map, folder or layer. Throws `code_invalid` or `code_reserved`. */
export function checkCode(code: string, kind: 'map' | 'folder' | 'layer'): string {
  if (!isPossibleCode(code)) {
    throw new ServiceError(
      'code_invalid',
      'A code has 1 to 63 Latin letters, digits, underscores and hyphens',
      { parameters: ['code'] },
    );
  }
  if (kind === 'layer' && /^[0-9]/.test(code)) {
    throw new ServiceError('code_invalid', 'The code of a layer does not start with a digit', { code });
  }
  // `__proto__` would break clients that keep containers in an object by code.
  if (code === '__proto__' || (kind === 'map' && reservedForMaps.has(code)))
    throw new ServiceError('code_reserved', `The code '${code}' is reserved by the service`, { code });
  return code;
}

/** A random code for a folder or layer without one. */
export const generateCode = (kind: 'folder' | 'layer'): string => `${kind}_${randomBytes(5).toString('hex')}`;

/** The error for a code that is in use. */
export const codeTaken = (code: string): ServiceError =>
  new ServiceError('code_taken', `The code '${code}' is already in use`, { code });

/** Runs a statement that assigns the code. The unique index (SQLSTATE 23505) decides whether it is free. Throws `code_taken`. */
export async function claimCode<T>(code: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw sqlState(error) === '23505' ? codeTaken(code) : error;
  }
}

import { searchOf } from './origin.js';

/** Parameters that are never logged. */
const secrets = new Set(['token', 'password', 'pass']);

/**
 * The URL of a request for the log, without the values of tokens and passwords, in any encoding of their
 * names.
 */
export function loggedUrl(url: string): string {
  const query = searchOf(url);
  if (query === '') return url;
  const shown = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return isSecret(name) ? `${name}=…` : parameter;
  });
  return `${url.slice(0, -query.length)}${shown.join('&')}`;
}

/** A name that cannot be decoded is treated as secret. */
function isSecret(name: string): boolean {
  try {
    return secrets.has(decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase());
  } catch {
    return true;
  }
}

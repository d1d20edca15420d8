/** Parameters that are never logged. */
const secrets = new Set(['token', 'password', 'pass']);

/** Address and values of a request for the log: tokens and passwords are left out, however their names are encoded. */
export function loggedUrl(url: string): string {
  const [path, ...queries] = url.split('?');
  const query = queries.join('?');
  if (query === '') return url;
  const shown = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return isSecret(name) ? `${name}=…` : parameter;
  });
  return `${path}?${shown.join('&')}`;
}

/** What cannot be decoded is no name that we know; it is left out all the same. */
function isSecret(name: string): boolean {
  try {
    return secrets.has(decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase());
  } catch {
    return true;
  }
}

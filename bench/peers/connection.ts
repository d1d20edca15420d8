/** A connection string for libpq, GDAL and the peers: `host=… port=…`. */
export function connectionText(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const parts = [
    ['host', hostname],
    ['port', port || '5432'],
    ['user', username],
    ['password', password],
    ['dbname', pathname.slice(1)],
  ];
  return parts
    .filter(([, value]) => value)
    .map(([key, value]) => `${key}=${decodeURIComponent(value!)}`)
    .join(' ');
}

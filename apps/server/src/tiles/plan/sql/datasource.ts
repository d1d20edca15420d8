import type { MapLayer } from '@cartulary/cartocss';
import type { ConnectionTarget } from '@cartulary/database';

/** Parameters of Mapnik's postgis plugin. They include everything that the plugin would query otherwise. */
export function datasource(target: ConnectionTarget, table: string): MapLayer['datasource'] {
  return {
    type: 'postgis',
    host: conninfo(target.host),
    port: target.port,
    user: conninfo(target.user),
    ...(target.password === undefined ? {} : { password: conninfo(target.password) }),
    dbname: conninfo(target.database),
    table,
    geometry_field: 'geom',
    key_field: 'svc_id',
    srid: 4326,
    extent: '-360,-90,360,90',
    estimate_extent: false,
    extent_from_subquery: false,
    initial_size: 1,
    max_size: 1,
    persist_connection: true,
    connect_timeout: 10,
  };
}

/** Quotes a value of libpq's connection string, which Mapnik does not quote. */
const conninfo = (value: string): string =>
  /^[\w./-]+$/.test(value) ? value : `'${value.replace(/['\\]/g, '\\$&')}'`;

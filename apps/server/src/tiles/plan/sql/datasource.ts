import type { ConnectionTarget } from '../db/pool.js';
import type { MapLayer } from '../styles/compile.js';

/** Mapnik's postgis plugin: everything that it would otherwise find out by a query of its own is said. */
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

/** A value of libpq's connection string: Mapnik joins them without quoting. */
const conninfo = (value: string): string =>
  /^[\w./-]+$/.test(value) ? value : `'${value.replace(/['\\]/g, '\\$&')}'`;

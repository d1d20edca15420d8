#!/usr/bin/env bash
# A PostgreSQL with PostGIS for the tests: on loopback and without passwords, so it must not hold real data.
#   postgres.sh start   creates it unless it exists, starts it unless it runs, prints its URL
#   postgres.sh stop    stops and removes it
# TEST_POSTGRES_FOLDER is its folder (default: below the temporary folder).
set -euo pipefail

folder="${TEST_POSTGRES_FOLDER:-${TMPDIR:-/tmp}/cartulary-test-postgres-$(id -u)}"
bin="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)"
[ -n "$bin" ] || bin="$(dirname "$(command -v pg_ctl)")"

# The server refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

free_port() {
  local port
  for port in $(shuf -i 20000-30000 -n 50); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
  echo "no free port was found" >&2
  return 1
}

start() {
  if ! as_owner test -f "$folder/data/PG_VERSION"; then
    mkdir -p "$folder"
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    as_owner "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
  fi
  if ! as_owner "$bin/pg_ctl" -D "$folder/data" status >/dev/null; then
    local port
    port="$(free_port)"
    as_owner "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w start -o \
      "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 -c fsync=off -c full_page_writes=off -c synchronous_commit=off" >/dev/null
  fi
  local url
  url="postgres://postgres@127.0.0.1:$(as_owner sed -n 4p "$folder/data/postmaster.pid")"
  # New databases are copies of template1: extensions are created once.
  "$bin/psql" -qX "$url/template1" -c 'set client_min_messages = warning' \
    -c 'create extension if not exists postgis' -c 'create extension if not exists pg_trgm' \
    -c 'create extension if not exists unaccent' -c 'create extension if not exists btree_gist'
  echo "$url/postgres"
}

stop() {
  as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null || true
  rm -rf "$folder"
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  *) echo "usage: $0 start|stop" >&2; exit 2 ;;
esac

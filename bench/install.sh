#!/usr/bin/env bash
# Installs what `npm run bench` needs from Debian's packages, when something of it is missing: it says so before.
#   install.sh peers   all of it
#   install.sh tools   what rows need that compare the service with itself
set -euo pipefail

missing=()
need() { [ -e "$1" ] || missing+=("$2"); }
if [ "${1:-peers}" = peers ]; then
  need /usr/bin/mapserv cgi-mapserver
  need /usr/lib/cgi-bin/qgis_mapserv.fcgi qgis-server
  need /usr/sbin/nginx nginx
  need /usr/bin/spawn-fcgi spawn-fcgi
fi
need /usr/bin/wrk wrk
[ -e "${CHROMIUM:-/usr/bin/chromium}" ] || need /usr/bin/chromium-headless-shell chromium-headless-shell
need /usr/bin/ogr2ogr gdal-bin
need /usr/bin/pgbench postgresql
ls /usr/share/postgresql/*/extension/postgis.control >/dev/null 2>&1 || missing+=(postgresql-15-postgis-3)
[ "${#missing[@]}" -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "These are missing, and apt-get is not here to install them: ${missing[*]}" >&2
  exit 1
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "These are missing, and may be installed by root alone: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  sudo="sudo"
fi
echo "Installing from Debian's packages: ${missing[*]}" >&2
{ $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2 || {
  echo "They could not be installed: ${missing[*]}" >&2
  exit 1
}

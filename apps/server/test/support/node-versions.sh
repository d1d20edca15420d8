#!/usr/bin/env bash
# Tries the built service under several versions of Node.js (the arguments): start, an import, a tile, stop. A version that
# is too old must be refused in one sentence. npm provides the versions. Every step has a time limit.
#   bash apps/server/test/support/node-versions.sh 22 24 26
set -euo pipefail
cd "$(dirname "$0")/../../../.."

download_limit_s=120
start_limit_s=60
request_limit_s=30
stop_limit_s=20

work="$(mktemp -d)"
trap 'kill $(jobs -p) 2>/dev/null || true; cat "$work"/*.pid 2>/dev/null | xargs -r kill -9 2>/dev/null || true; rm -rf "$work"' EXIT

package="node-linux-$(node -p process.arch)"
node_of() { echo "$work/$1/node_modules/$package/bin/node"; }

download() {
  timeout "$download_limit_s" npm install --no-save --no-audit --no-fund --silent --prefix "$work/$1" "$package@$1" >/dev/null ||
    { echo "Node.js $1 could not be downloaded in $download_limit_s s"; return 1; }
}

# Waits until the log has the address of the service, which it prints.
base_of() {
  local log="$1" server="$2" end=$((SECONDS + start_limit_s))
  until grep -q 'is ready' "$log"; do
    kill -0 "$server" 2>/dev/null && [ "$SECONDS" -lt "$end" ] || { cat "$log" >&2; return 1; }
    sleep 0.1
  done
  sed -n 's#.*is ready.*: \(http://[^/]*\)/$#\1#p' "$log"
}

run_service() {
  local version="$1" node data log server base api token tile auth
  node="$(node_of "$version")" data="$work/data-$version" log="$work/$version.log"
  CARTULARY_DATA="$data" CARTULARY_DEMO=0 CARTULARY_ADMIN_PASSWORD=tried-versions CARTULARY_LOG_LEVEL=warn PORT=0 "$node" apps/server/dist/src/main.js >"$log" 2>&1 &
  server=$!
  echo "$server" >"$work/$version.pid"
  base="$(base_of "$log" "$server")" || return 1
  api="$base/api/2.8/demo"
  auth=(-sS --fail-with-body --max-time "$request_limit_s")
  token="$(curl "${auth[@]}" "$api/login/" -d 'login=admin&password=tried-versions' | sed 's/.*"token":"\([^"]*\)".*/\1/')" || return 1
  auth+=(-o /dev/null -H "Authorization: Bearer $token")
  curl "${auth[@]}" "$api/" -d '{"code": "tried"}' || return 1
  curl "${auth[@]}" "$api/tried/layers/" -d '{"code": "places"}' || return 1
  # A separate process converts this format, so that the libraries of that process are tried, too.
  curl "${auth[@]}" -H 'X-Filename: places.kml' "$api/tried/layers/places/import/" --data-binary '<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Here</name><Point><coordinates>90,60</coordinates></Point></Placemark></kml>' || return 1
  curl "${auth[@]}" -X PATCH "$api/tried/layers/places/" -d '{"css_style": "#places { marker-width: 40; marker-fill: #c00; text-name: [name]; text-face-name: \"DejaVu Sans Book\"; }"}' || return 1
  tile="$(curl -sS --fail-with-body --max-time "$request_limit_s" "$base/tms/demo/tried/?z=1&x=1&y=1" | wc -c)" || return 1
  [ "$tile" -gt 500 ] || { echo "the tile shows nothing ($tile bytes)"; return 1; }
  kill -TERM "$server"
  for _ in $(seq $((stop_limit_s * 10))); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$server" 2>/dev/null && { echo "no stop in $stop_limit_s s"; return 1; }
  wait "$server" || { cat "$log"; return 1; }
  rm "$work/$version.pid"
  if grep -E '"level":(50|60)|Deprecat' "$log"; then return 1; fi
}

refuse() {
  local node program said
  node="$(node_of "$1")"
  for program in main cli/cli; do
    said="$("$node" "apps/server/dist/src/$program.js" settings 2>&1)" && { echo "it starts on $1"; return 1; }
    [ "$said" = "Cartulary needs Node.js 20.19 or later; this is $("$node" -p process.versions.node)" ] || { echo "$said"; return 1; }
  done
}

try() {
  download "$1" || return 1
  if [ "$1" -lt 20 ]; then
    refuse "$1" || return 1
    echo "Node.js $("$(node_of "$1")" --version): told that it is too old"
  else
    run_service "$1" || { echo "Node.js $1 failed"; return 1; }
    echo "Node.js $("$(node_of "$1")" --version): start, import, tile, stop"
  fi
  rm -rf "${work:?}/$1"
}

# Two at a time: a start waits for the disk and the network for most of its time.
status=0
while [ "$#" -gt 0 ]; do
  try "$1" & first=$!
  second=""
  if [ "$#" -gt 1 ]; then try "$2" & second=$!; fi
  wait "$first" || status=1
  [ -z "$second" ] || wait "$second" || status=1
  shift "$(($# > 1 ? 2 : 1))"
done
exit "$status"

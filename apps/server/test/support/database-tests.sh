#!/usr/bin/env bash
# The compiled tests for which it matters which database it is: not those of pictures, of the renderer, of other servers, of slow clients, of
# files on the disk, and of the embedded database itself.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
tests=apps/server/dist/test
find $tests/{api,cli,conformance,layers,search,server,tiles} packages/database/dist/test/{bulk,migrate,pool,snapshot-cache,transaction,queries/crossings,queries/long-values,queries/query-role,queries/references}.test.js $tests/formats/{import,export}.test.js -name '*.test.js' |
  grep -vE '/api/(transfer/feature-sheets|access/ext-login|access/ext-login-keys|maps/external|transfer/images|http/openapi)(\.long)?\.test\.js$' |
  grep -vE '/server/(process|slow-clients|wrong-settings)(\.long)?\.test\.js$|/tiles/render/(visible-layers|pool|quarantine|style-attacks)(\.long)?\.test\.js$' |
  grep -vE '/tiles/(labels/(fonts|labels)|matrix|symbols)(\.long)?\.test\.js$'

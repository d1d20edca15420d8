#!/usr/bin/env bash
# The compiled tests for which it matters which database it is: not those of pictures, of the renderer, of other servers, of slow clients, of
# files on the disk, and of the embedded database itself.
set -euo pipefail
cd "$(dirname "$0")/../../dist/test"
find api cli conformance layers search server tiles db/{bulk,migrate,pool,query-role,recall,transaction}.test.js formats/{import,export}.test.js -name '*.test.js' |
  grep -vE '^api/(card|ext-login|ext-login-keys|external|images|openapi)\.test\.js$' |
  grep -vE '^(server/process|server/slow-clients|tiles/drawn-layers)\.test\.js$' |
  grep -vE '^tiles/(fonts|matrix|pool|quarantine|style-attacks|symbols)\.test\.js$' |
  sed 's|^|dist/test/|'

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parseConfig, settings } from '../../src/config.js';

test('docs/settings.md is what the code says: write it anew with `node dist/src/cli.js settings --markdown`', () => {
  const table = execFileSync(process.execPath, ['dist/src/cli.js', 'settings', '--markdown'], {
    encoding: 'utf8',
  });
  assert.equal(readFileSync('docs/settings.md', 'utf8'), table);
  for (const { env } of Object.values(settings)) assert.ok(table.includes(env), env);
});

test('every wrong setting is named, and a password is not shown', () => {
  assert.throws(
    () => parseConfig({ PORT: 'x', CARTULARY_CORS: 'maybe', CARTULARY_LIST_LIMIT: '0' }),
    /PORT=x: must be a whole number from 0 to 65535[\s\S]*CARTULARY_CORS=maybe[\s\S]*CARTULARY_LIST_LIMIT=0|CARTULARY_LIST_LIMIT=0[\s\S]*/,
  );
  assert.equal(parseConfig({ PORT: '0' }).port, 0);
  assert.equal(parseConfig({}).sessionIdle, 600);
});

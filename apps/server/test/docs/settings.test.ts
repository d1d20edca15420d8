import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { parseConfig, settings, settingsWithoutEffect, unknownSettings } from '../../src/config.js';

test('docs/settings.md equals the output of `node apps/server/dist/src/cli/cli.js settings --markdown`', () => {
  const table = execFileSync(
    process.execPath,
    ['apps/server/dist/src/cli/cli.js', 'settings', '--markdown'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(readFileSync('docs/settings.md', 'utf8'), table);
  for (const { env } of Object.values(settings))
    assert.equal(table.split(`| \`${env}\` |`).length, 2, `${env} has one row`);
  const [, first = ''] = table.split(/^## /m);
  assert.equal(first.match(/^\| `/gm)?.length, 10, 'the ten that matter stand first');
});

test('every wrong setting is named, and a password is not shown', () => {
  assert.throws(
    () => parseConfig({ PORT: 'x', CARTULARY_DEMO: 'maybe', CARTULARY_LIST_LIMIT: '0' }),
    /PORT=x: must be a whole number from 0 to 65535\n[\s\S]*CARTULARY_DEMO=maybe: must be 1 or 0\n[\s\S]*CARTULARY_LIST_LIMIT=0: must be a whole number from 1 to \d+ \(objects\)$/,
  );
  assert.equal(parseConfig({ PORT: '0' }).port, 0);
  assert.equal(parseConfig({}).sessionIdleS, 600);
});

test("the service's address and the log level are checked, and a mistyped name is reported", () => {
  for (const CARTULARY_BASE_URL of ['maps', 'ftp://maps.example.org', 'https://maps.example.org/?a=1'])
    assert.throws(() => parseConfig({ CARTULARY_BASE_URL }), /must be an address such as/);
  assert.equal(
    parseConfig({ CARTULARY_BASE_URL: 'https://m.example.org/a' }).baseUrl,
    'https://m.example.org/a',
  );
  assert.throws(() => parseConfig({ CARTULARY_LOG_LEVEL: 'loud' }), /must be one of fatal, error/);
  assert.throws(() => parseConfig({ CARTULARY_FRAME_ANCESTORS: 'self' }), /'self' \(both in quotes\)/);
  for (const HOST of ['::1', 'fe80::1%eth0', '0.0.0.0', 'maps.example.org', 'my_host'])
    assert.equal(parseConfig({ HOST }).host, HOST);
  for (const HOST of ['localhost:8080', 'http://localhost', '*', '[::1]'])
    assert.throws(() => parseConfig({ HOST }), /without http/);
  assert.deepEqual(unknownSettings({ PORT: '1', CARTULARY_CORS: '1' }), []);
  const [mistyped, other] = unknownSettings({ CARTULARY_DEOM: '0', CARTULARY_SOMETHING_ELSE: '1' });
  assert.match(mistyped!, /no setting CARTULARY_DEOM; CARTULARY_DEMO was probably meant/);
  assert.doesNotMatch(other!, /probably/);
  for (const [given, meant] of [
    ['CARTULARY_HOST', 'HOST'],
    ['CARTULARY_DATABASE_URL', 'DATABASE_URL'],
    ['cartulary_demo', 'CARTULARY_DEMO'],
  ] as const)
    assert.match(unknownSettings({ [given]: '1' })[0]!, new RegExp(`${given}; ${meant} was probably meant`));
  assert.doesNotMatch(
    unknownSettings({ CARTULARY_TYPO: '1' })[0]!,
    /probably/,
    'three of four letters differ',
  );
});

test('hosts are written as requests name them, and those that never match are refused', () => {
  const hostsOf = (CARTULARY_HOSTS: string): string => parseConfig({ CARTULARY_HOSTS }).hosts;
  assert.equal(
    hostsOf('Maps.Example.org:8443, [::1], my_host,карта.рф:8080'),
    'maps.example.org:8443,[::1],my_host,xn--80aa2azak.xn--p1ai:8080',
  );
  for (const wrong of ['exa$mple', 'a..b', '*.example.org', 'maps.example.org:99999', '[::1]:99999', 'a b'])
    assert.throws(() => hostsOf(`localhost,${wrong}`), /must be a host such as/, wrong);
  const CARTULARY_EXTERNAL_HOSTS = '*.Карта.рф,tiles.example.org:8443';
  assert.equal(
    parseConfig({ CARTULARY_EXTERNAL_HOSTS }).externalHosts,
    '*.xn--80aa2azak.xn--p1ai,tiles.example.org:8443',
  );
});

test('the address of the service is written as headers can contain it, without a slash at the end', () => {
  const baseOf = (CARTULARY_BASE_URL: string): string => parseConfig({ CARTULARY_BASE_URL }).baseUrl;
  assert.equal(
    baseOf('https://карта.рф/карты/'),
    'https://xn--80aa2azak.xn--p1ai/%D0%BA%D0%B0%D1%80%D1%82%D1%8B',
  );
  assert.equal(baseOf('HTTPS://Maps.example.org'), 'https://maps.example.org');
});

test('a setting that has no effect without another is told', () => {
  const told = (env: Record<string, string>): string[] => settingsWithoutEffect(parseConfig(env));
  assert.deepEqual(told({ CARTULARY_EXT_LOGIN_ISSUER: 'https://id.example.org' }), [
    'CARTULARY_EXT_LOGIN_ISSUER has no effect: CARTULARY_EXT_LOGIN_JWKS is not set',
  ]);
  assert.equal(told({ CARTULARY_EXT_LOGIN_CLAIM: 'email', CARTULARY_EXTERNAL_PRIVATE: 'a:80' }).length, 2);
  assert.deepEqual(told({}), []);
  assert.deepEqual(told({ CARTULARY_EXTERNAL_PRIVATE: 'a:80', CARTULARY_EXTERNAL_HOSTS: 'a:80' }), []);
});

import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import test from 'node:test';
import { parseDatabaseUrl } from './target.js';

const user = userInfo().username;

const urls: [url: string, target: object][] = [
  [
    'postgres://map:p%40ss%2Fw%3A%25@db.example:6543/gis%20data?sslmode=require',
    {
      host: 'db.example',
      port: 6543,
      user: 'map',
      password: 'p@ss/w:%',
      database: 'gis data',
      ssl: { mode: 'require' },
    },
  ],
  ['postgresql://db', { host: 'db', port: 5432, user, database: user }],
  ['postgres:///gis', { host: 'localhost', port: 5432, user, database: 'gis' }],
  ['postgres://u@[::1]/', { host: '::1', port: 5432, user: 'u', database: 'u' }],
  [
    'postgres:///gis?host=/run/postgresql&port=5433&user=u',
    { host: '/run/postgresql', port: 5433, user: 'u', database: 'gis' },
  ],
  [
    'postgres://u@%2Frun%2Fpostgresql/gis',
    { host: '/run/postgresql', port: 5432, user: 'u', database: 'gis' },
  ],
  [
    'postgres://u@h/d?sslmode=verify-full&application_name=x&sslrootcert=/ca.crt&sslcert=/u.crt&sslkey=/u.key',
    {
      ...{ host: 'h', port: 5432, user: 'u', database: 'd' },
      ssl: { mode: 'verify-full', rootFile: '/ca.crt', certificateFile: '/u.crt', keyFile: '/u.key' },
    },
  ],
  [
    'postgres://u@h/d?ssl=true&sslrootcert=/ca.crt',
    { host: 'h', port: 5432, user: 'u', database: 'd', ssl: { mode: 'verify-ca', rootFile: '/ca.crt' } },
  ],
  [
    'postgres://u:p@/d?host=/run/postgresql&sslmode=require',
    { host: '/run/postgresql', port: 5432, user: 'u', password: 'p', database: 'd' },
  ],
  ['postgres://u@:5433/d', { host: 'localhost', port: 5433, user: 'u', database: 'd' }],
  ['postgres://u@h/d?sslmode=disable', { host: 'h', port: 5432, user: 'u', database: 'd' }],
];

test('a database URL in its parts', () => {
  for (const [url, target] of urls) assert.deepEqual(parseDatabaseUrl(url), target, url);
});

test('without a password in the URL, that of the environment counts', () => {
  process.env.PGPASSWORD = 'own';
  try {
    assert.equal(parseDatabaseUrl('postgres://u@h/d').password, 'own');
    assert.equal(parseDatabaseUrl('postgres://u:p@h/d').password, 'p');
  } finally {
    delete process.env.PGPASSWORD;
  }
});

test('what is wrong with a URL is said, without its password', () => {
  for (const [url, problem] of [
    ['', /begin with postgres/],
    ['mysql://u:secret@h/d', /begin with postgres/],
    ['db.example/gis', /begin with postgres/],
    ['postgres://u:secret@h:99999/d', /whole URL|port/],
    ['postgres://u:secret@h/d?port=0', /port/],
    ['postgres://u:sec%zzret@h/d', /the password is not percent-encoded/],
    ['postgres://u:secret@h/d?host=a,b', /one host/],
    ['postgres://u:secret@h/d?sslmode=verify-ca', /sslmode=verify-ca needs sslrootcert/],
    ['postgres://u:secret@h/d?sslmode=maybe', /sslmode must be one of disable, /],
  ] as const) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => problem.test(error.message) && !error.message.includes('secret'),
      url,
    );
  }
});

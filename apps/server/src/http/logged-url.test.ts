import assert from 'node:assert/strict';
import test from 'node:test';
import { loggedUrl } from './logged-url.js';

test('tokens and passwords are left out, however their names are spelled', () => {
  for (const name of [
    'token',
    'to%6ben',
    '%74%6F%6B%65%6E',
    'TOKEN',
    'password',
    'p%61ss',
    '%70ass',
    '+token',
  ]) {
    assert.equal(loggedUrl(`/a/?x=1&${name}=abc&y=2`), `/a/?x=1&${name}=…&y=2`);
    assert.equal(loggedUrl(`/a/?${name}=abc=def?token=x`), `/a/?${name}=…`);
  }
  assert.equal(loggedUrl('/a/?%E0%A4%A=abc'), '/a/?%E0%A4%A=…');
  assert.equal(loggedUrl('/a/?x=token&tokens=1'), '/a/?x=token&tokens=1');
  assert.equal(loggedUrl('/a/'), '/a/');
});

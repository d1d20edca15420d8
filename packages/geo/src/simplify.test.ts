import assert from 'node:assert/strict';
import test from 'node:test';
import { toleranceDegrees, toleranceMetres } from './simplify.js';

test('half a pixel at the equator, in metres and in degrees', () => {
  assert.ok(Math.abs(toleranceMetres(0) - 156_543.03392804097 / 2) < 1e-6);
  assert.equal(toleranceMetres(10), toleranceMetres(0) / 1024);
  assert.equal(toleranceDegrees(0), 0.703125);
  assert.equal(toleranceDegrees(8), 0.703125 / 256);
});

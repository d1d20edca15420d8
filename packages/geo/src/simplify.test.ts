import assert from 'node:assert/strict';
import test from 'node:test';
import { toleranceDegrees } from './simplify.js';

test('half a pixel at the equator, in degrees', () => {
  assert.equal(toleranceDegrees(0), 0.703125);
  assert.equal(toleranceDegrees(8), 0.703125 / 256);
});

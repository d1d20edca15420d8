import assert from 'node:assert/strict';
import test from 'node:test';
import { companions } from './companions.js';
import { readBeside } from './incoming/datasets.js';
import { worldExtensions } from './rasters/source.js';

test('every file that is read beside a main file is one that programs send with it', () => {
  const sent = new Set(Object.values(companions).flat());
  assert.deepEqual(
    [...readBeside, ...worldExtensions].filter((extension) => !sent.has(extension)),
    [],
  );
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { labelNumbers, labelRounded, type NumberLabel } from './labels.js';

const shown = (label: (numbers: readonly number[]) => NumberLabel, numbers: readonly number[]): string[] =>
  numbers.map((number) => label(numbers)(number, 'en'));

test('numbers side by side show two digits of their smallest difference', () => {
  assert.deepEqual(shown(labelNumbers, [1.0437, 7.4451, 87.881]), ['1', '7.4', '87.9']);
  assert.deepEqual(shown(labelNumbers, [0.1, 0.10012, 0.2]), ['0.1', '0.10012', '0.2']);
  assert.deepEqual(shown(labelNumbers, [1101, 471_351, 2_822_601]), ['1,101', '471,351', '2,822,601']);
});

test('computed numbers show no more before the decimal point, either', () => {
  assert.deepEqual(shown(labelRounded, [1101, 92_122, 361_167, 8_689_562]), [
    '1,000',
    '92,000',
    '361,000',
    '8,690,000',
  ]);
  assert.deepEqual(shown(labelRounded, [1101.25, 471_351.75]), ['0', '470,000']);
  assert.deepEqual(shown(labelRounded, [-160, 1150]), ['-200', '1,200']);
  assert.deepEqual(shown(labelRounded, [1, 2.5, 4]), ['1', '2.5', '4']);
  assert.deepEqual(shown(labelRounded, [1, 2, 10]), ['1', '2', '10']);
  assert.deepEqual(shown(labelRounded, [1.0437, 7.4451, 87.881]), ['1', '7.4', '87.9']);
  assert.deepEqual(shown(labelRounded, [123_456]), ['120,000']);
  assert.deepEqual(shown(labelRounded, [0]), ['0']);
});

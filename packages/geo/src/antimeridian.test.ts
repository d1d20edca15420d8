import assert from 'node:assert/strict';
import test from 'node:test';
import { cutAtEdge, withoutEdge } from './antimeridian.js';

test('a shape that crosses 180° becomes two parts without spikes along the edge', () => {
  const beyond = [
    [
      [100, 60],
      [170, 10],
      [179, 60],
      [-170, 65],
      [179, 70],
      [100, 60],
    ],
  ];
  const { coordinates } = cutAtEdge({ type: 'Polygon', coordinates: beyond });
  assert.equal(coordinates.length, 2);
  for (const [ring] of coordinates) {
    const onEdge = ring!.filter(([lon]) => Math.abs(lon!) === 180).map(([, lat]) => lat!);
    assert.ok(onEdge.length >= 2 && Math.min(...onEdge) > 60 && Math.max(...onEdge) < 70, String(onEdge));
    assert.ok(ring!.every(([lon]) => Math.abs(lon!) <= 180));
    assert.deepEqual(ring!.at(-1), ring![0]);
  }
  const within = [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ];
  assert.deepEqual(cutAtEdge({ type: 'Polygon', coordinates: within }).coordinates, [within]);
});

test('lines lose their segments along 180° and the pole, and from one side to the other', () => {
  const line = [
    [170, 60],
    [180, 61],
    [180, 65],
    [175, 66],
    [-175, 67],
    [-170, 68],
  ];
  assert.deepEqual(withoutEdge([line]), [
    [
      [170, 60],
      [180, 61],
    ],
    [
      [180, 65],
      [175, 66],
    ],
    [
      [-175, 67],
      [-170, 68],
    ],
  ]);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { isFree, type LabelBox, noPlaces, takePlace } from './places.js';

/** A reproducible sequence of numbers. */
function* numbers(): Generator<number, never> {
  for (let seed = 1; ; seed = (seed * 16_807) % 2_147_483_647) yield seed / 2_147_483_647;
}

test('a place is free while no box overlaps it, near or far, also in the north and west', () => {
  const next = numbers();
  const number = (): number => next.next().value;
  const taken = noPlaces();
  const boxes: LabelBox[] = [];
  const meet = (a: LabelBox, b: LabelBox): boolean =>
    Math.min(a.right, b.right) > Math.max(a.left, b.left) &&
    Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top);
  let refused = 0;
  for (let i = 0; i < 2_000; i++) {
    const [left, top] = [4_000 * number() - 2_000, 4_000 * number() - 2_000];
    const box = { left, top, right: left + 150 * number(), bottom: top + 80 * number() };
    const free = !boxes.some((other) => meet(other, box));
    assert.equal(isFree(taken, box), free);
    if (!free) refused++;
    else {
      takePlace(taken, box);
      boxes.push(box);
    }
  }
  assert.ok(refused > 100 && boxes.length > 100);
});

test('touching boxes do not overlap', () => {
  const taken = noPlaces();
  takePlace(taken, { left: 0, top: 0, right: 64, bottom: 10 });
  assert.equal(isFree(taken, { left: 64, top: 0, right: 70, bottom: 10 }), true);
  assert.equal(isFree(taken, { left: 63, top: 9, right: 70, bottom: 10 }), false);
  assert.equal(isFree(taken, { left: -5, top: -5, right: 100, bottom: 100 }), false);
});

const at = ({ x, y }: { x: number; y: number }): LabelBox => ({ left: x, top: y, right: x, bottom: y });

test('no box finds room that has a taken point at its side, in its corner or inside', () => {
  const next = numbers();
  const number = (): number => next.next().value;
  const taken = noPlaces();
  const boxes: LabelBox[] = [];
  for (let i = 0; i < 50; i++) {
    const [left, top] = [600 * number() - 300, 600 * number() - 300];
    const box = { left, top, right: left + 150 * number(), bottom: top + 80 * number() };
    boxes.push(box);
    takePlace(taken, box);
  }
  let hits = 0;
  for (let i = 0; i < 2_000; i++) {
    const point = { x: 800 * number() - 400, y: 800 * number() - 400 };
    const [wide, tall] = [100 * number(), 20 * number()];
    const isWithin = boxes.some(
      ({ left, top, right, bottom }) =>
        left < point.x && point.x < right && top < point.y && point.y < bottom,
    );
    assert.equal(isFree(taken, at(point)), !isWithin);
    if (!isWithin) continue;
    hits += 1;
    for (const x of [0, 0.5, 1])
      for (const y of [0, 0.5, 1]) {
        const [left, top] = [point.x - x * wide, point.y - y * tall];
        assert.equal(isFree(taken, { left, top, right: left + wide, bottom: top + tall }), false);
      }
  }
  assert.ok(hits > 100);
  const one = noPlaces();
  takePlace(one, { left: 0, top: 0, right: 10, bottom: 10 });
  assert.ok(isFree(one, at({ x: 10, y: 5 })), 'a place may touch another');
});

test('a margin of any width and a distance from equal texts are kept', () => {
  const taken = noPlaces();
  takePlace(taken, { left: 0, top: 0, right: 10, bottom: 10 }, 'one');
  takePlace(taken, { left: 0, top: 500, right: 10, bottom: 510 });
  const box = { left: 100, top: 0, right: 110, bottom: 10 };
  for (const [margin, free] of [
    [0, true],
    [90, true],
    [91, false],
    [100_000, false],
  ] as const)
    assert.equal(isFree(taken, box, { margin, repeat: 0 }, 'one'), free, `${margin}`);
  for (const [repeat, text, free] of [
    [90, 'one', true],
    [91, 'one', false],
    [100_000, 'one', false],
    [100_000, 'two', true],
  ] as const)
    assert.equal(isFree(taken, box, { margin: 0, repeat }, text), free, `${repeat} ${text}`);
});

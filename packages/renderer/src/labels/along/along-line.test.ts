import assert from 'node:assert/strict';
import test from 'node:test';
import type { AlongText } from '../text/along-text.js';
import { type AlongLabel, AlongSetter, middlesOf, shiftsOf } from './along-line.js';
import { LinePath } from './line-path.js';

/** A text of letters as wide and as high as an em. */
const text = (letters: number): AlongText => ({
  width: letters,
  height: 1,
  characters: letters,
  clusters: Array.from({ length: letters }, () => ({
    width: 1,
    glyphs: [{ glyph: {} as never, x: 0, y: 0 }],
    top: -1,
    bottom: 0,
  })),
});
const along = { spacing: 0, tolerance: 0, maxTurn: 0.4, minLength: 0 };
const label = (letters: number, own: Partial<AlongLabel> = {}): AlongLabel => ({
  text: text(letters),
  size: 10,
  characterSpacing: 0,
  along,
  ...own,
});
const straight = new LinePath([0, 0, 100, 0]);

test('as many labels as have room with their spacing, at equal distances', () => {
  const middles = (own: Partial<AlongLabel>) =>
    Array.from(middlesOf(straight, label(2, own)), ({ at }) => at);
  assert.deepEqual(middles({}), [50]);
  assert.deepEqual(middles({ along: { ...along, spacing: 30 } }), [25, 75]);
  assert.deepEqual(middles({ along: { ...along, spacing: 500 } }), [50]);
  assert.deepEqual(middles({ along: { ...along, minLength: 101 } }), []);
  assert.deepEqual(middles({ text: text(11) }), []);
});

test('places near the middle are tried first, and none beyond the tolerance', () => {
  const shifts = [...shiftsOf(20, 1_000)];
  assert.deepEqual(shifts.slice(0, 3), [0, -1, 1]);
  assert.ok(shifts.length > 10 && shifts.every((shift) => Math.abs(shift) <= 20));
  assert.ok(Math.max(...shiftsOf(0, 60)) <= 30);
  assert.ok([...shiftsOf(0, 1e9)].length <= 255);
});

test('letters stand upright on lines in both directions, with their middle on the line', () => {
  const setter = new AlongSetter();
  const any = (): boolean => true;
  assert.ok(setter.set(straight, 50, label(3), any));
  assert.deepEqual([setter.xs[0], setter.ys[0], setter.angles[0]], [35, 5, 0]);
  assert.deepEqual(setter.boxes[0], { left: 35, top: -5, right: 45, bottom: 5 });
  assert.ok(setter.set(new LinePath([100, 0, 0, 0]), 50, label(3), any));
  assert.deepEqual([Math.round(setter.xs[0]!), Math.abs(setter.angles[0]!) < 1e-9], [35, true]);
  assert.equal(setter.set(straight, 10, label(3), any), false, 'before the beginning');
  assert.equal(setter.set(straight, 95, label(3), any), false, 'beyond the end');
  assert.equal(
    setter.set(straight, 50, label(3), ({ left }) => left < 50),
    false,
    'a letter without room',
  );
});

test('no letter is turned more than allowed against the one before', () => {
  const bent = new LinePath([0, 0, 50, 0, 50, 50]);
  const setter = new AlongSetter();
  assert.equal(
    setter.set(bent, 50, label(4), () => true),
    false,
  );
  assert.equal(
    setter.set(bent, 50, label(4, { along: { ...along, maxTurn: 0 } }), () => true),
    true,
  );
});

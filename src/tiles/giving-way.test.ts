import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { createGivingWay } from './giving-way.js';

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let goesOn = 0;
  const way = createGivingWay(
    40,
    () => {
      goesOn += 1;
    },
    Date.now,
  );
  return { way, pass: (ms: number) => t.mock.timers.tick(ms), goesOn: () => goesOn };
}

test('waits while somebody goes first, and goes on when nobody does any more', (t) => {
  const { way, pass, goesOn } = start(t);
  assert.equal(way.waits(), false);
  const [one, two] = [way.to(), way.to()];
  assert.equal(way.waits(), true);
  pass(5);
  one();
  one();
  assert.deepEqual([way.waits(), goesOn()], [true, 0]);
  two();
  assert.deepEqual([way.waits(), goesOn()], [false, 1]);
});

test('who takes long goes first for a while only', (t) => {
  const { way, pass, goesOn } = start(t);
  way.to();
  assert.equal(way.waits(), true);
  pass(39);
  assert.equal(way.waits(), true);
  pass(1);
  assert.ok(goesOn() > 0);
  assert.equal(way.waits(), false);
  pass(1_000);
  assert.equal(way.waits(), false, 'the same does not go first again');
  way.to();
  assert.equal(way.waits(), true, 'the next does');
});

test('where somebody always goes first half of the time is left', (t) => {
  const { way, pass } = start(t);
  let waited = 0;
  for (let ms = 0; ms < 1_000; ms++) {
    const end = way.to();
    if (way.waits()) waited += 1;
    pass(1);
    way.to();
    end();
  }
  assert.ok(waited > 400 && waited <= 520, `${waited} of 1000 ms`);
});

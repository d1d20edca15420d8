import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { WritePriority } from './write-priority.js';

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let goesOn = 0;
  const priority = new WritePriority(
    40,
    () => {
      goesOn += 1;
    },
    Date.now,
  );
  return { priority, pass: (ms: number) => t.mock.timers.tick(ms), goesOn: () => goesOn };
}

test('work waits while a write runs, and goes on after the last one', (t) => {
  const { priority, pass, goesOn } = start(t);
  assert.equal(priority.mustWait(), false);
  const [one, two] = [priority.begin(), priority.begin()];
  assert.equal(priority.mustWait(), true);
  pass(5);
  one();
  one();
  assert.deepEqual([priority.mustWait(), goesOn()], [true, 0]);
  two();
  assert.deepEqual([priority.mustWait(), goesOn()], [false, 1]);
});

test('a long write goes first for a limited time', (t) => {
  const { priority, pass, goesOn } = start(t);
  priority.begin();
  assert.equal(priority.mustWait(), true);
  pass(39);
  assert.equal(priority.mustWait(), true);
  pass(1);
  assert.ok(goesOn() > 0);
  assert.equal(priority.mustWait(), false);
  pass(1_000);
  assert.equal(priority.mustWait(), false, 'the same write does not go first again');
  priority.begin();
  assert.equal(priority.mustWait(), true, 'the next write does');
});

test('continuous writes leave half of the time', (t) => {
  const { priority, pass } = start(t);
  let waited = 0;
  for (let ms = 0; ms < 1_000; ms++) {
    const end = priority.begin();
    if (priority.mustWait()) waited += 1;
    pass(1);
    priority.begin();
    end();
  }
  assert.ok(waited > 400 && waited <= 520, `${waited} of 1000 ms`);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createContentReader } from '../../../src/tiles/plan/map-content.js';
import { createPlanner } from '../../../src/tiles/plan/plan.js';
import { freshCode, startServer } from '../../support/server.js';
import { demoCaller, tileRequest } from '../support.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('of a map only the latest content stays in memory, whatever was drawn of earlier ones', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const { db, storage, icons, config } = server.server.services;
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'a' });
  const read = createContentReader(db, icons, config);
  const contents: WeakRef<object>[] = [];
  const plan = createPlanner({
    db,
    storage,
    fastLabels: true,
    async readContent(state, signal) {
      const content = await read(state, signal);
      contents.push(new WeakRef(content));
      return content;
    },
  });
  const caller = await demoCaller(db, { isInstaller: true });
  for (const fill of ['#ff0000', '#00ff00', '#0000ff']) {
    await server.admin('PATCH', `/${map}/layers/a/`, { css_style: `#a { polygon-fill: ${fill}; }` });
    await plan(caller, map, tileRequest);
  }
  await nextRound();
  collect();
  assert.deepEqual(
    contents.map((one) => one.deref() !== undefined),
    [false, false, true],
  );
});

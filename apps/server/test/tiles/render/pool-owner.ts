/** A process with a pool that renders forever. Prints the id of its renderer. */
import { createRendererPool } from '../../../src/tiles/render/pool.js';
import { endless, fill, keepingLog, poolConfig } from '../support.js';

const pool = createRendererPool({ config: poolConfig({ renderTimeoutMs: 600_000 }), log: keepingLog() });
await pool.render(fill('#00ff00'));
pool.render(endless()).catch(() => {});
setTimeout(() => process.send!(pool.processes()[0]), 300);

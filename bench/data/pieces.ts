import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../stage.js';
import type { Layer } from './layer.js';

const maxWaitSeconds = 300;

/** Waits until the large shapes of a layer are stored in pieces, which begins when it is drawn. */
export async function piecesMade(
  { url }: { url: string },
  mapCode: string,
  { id, database, table }: Layer,
): Promise<void> {
  const missing = `select count(*) from ${table} where pg_column_size(geom) > 50000 and not exists (select from cartulary.shape_pyramid where layer_id = ${id} and svc_id = ${table}.svc_id and is_complete)`;
  for (let seconds = 0; seconds < maxWaitSeconds; seconds++) {
    await fetch(`${url}/tms/demo/${mapCode}/?z=0&x=0&y=0&layers=${id}`);
    const { stdout } = await run('psql', [database, '-Atc', missing]);
    if (stdout.trim() === '0') return;
    await sleep(1_000);
  }
  throw new Error(`The shapes of ${table} are not in pieces after ${maxWaitSeconds} s`);
}

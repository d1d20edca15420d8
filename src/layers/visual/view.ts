import type { Database } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { shownSettings, type VisualSettings } from '../../visualizations/visualization.js';
import { classCounts, type Languages, type VisualLayer } from './counts.js';
import { freshenClasses, visualOf } from './fresh.js';

/** The settings of a layer's visualization as they are shown; undefined: it has none, or is gone. */
export async function visualView(
  db: Database,
  layerId: number,
  languages: Languages,
): Promise<VisualSettings | undefined> {
  await freshenClasses(db, [layerId]);
  const [layer] = await db.query<VisualLayer>(sql`
    select l.id, l.visual_settings, l.visual_classes, s.data_version,
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container l join cartulary.layer_state s on s.layer_id = l.id where l.id = ${layerId}`);
  const visual = layer && visualOf(layer);
  if (!visual) return undefined;
  // Only categories show counts among their settings.
  const counts = visual.settings.type === 2 ? await classCounts(db, layer, languages) : [];
  return shownSettings(visual, new Map(counts.map((one) => [one.class, one.count])));
}

import type { Database } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { isCustom, shownSettings, type VisualSettings } from '../../visualizations/visualization.js';
import { classCounts, type Languages, type VisualLayer } from './counts.js';
import { freshenClasses, visualOf } from './fresh.js';

/** The settings of a layer's visualization of the types 1 to 7 as they are shown; undefined: it has none, or is gone. */
export async function visualView(
  db: Database,
  layerId: number,
  languages: Languages,
): Promise<VisualSettings | undefined> {
  await freshenClasses(db, [layerId]);
  const [layer] = await db.query<VisualLayer>(sql`
    select l.id, l.visual_settings, l.visual_custom_settings, l.visual_classes, s.data_version,
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container l join cartulary.layer_state s on s.layer_id = l.id where l.id = ${layerId}`);
  const visual = layer && visualOf(layer);
  if (!visual || isCustom(visual.settings)) return undefined;
  const { settings, statistics } = visual;
  // Only categories show counts among their settings.
  const counts = settings.type === 2 ? await classCounts(db, layer, languages) : [];
  return shownSettings({ settings, statistics }, new Map(counts.map((one) => [one.class, one.count])));
}

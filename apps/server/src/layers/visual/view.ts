import type { Database } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { isCustom, shownSettings, type VisualSettings } from '@cartulary/visualizations';
import { type AnswerLanguages, classCounts, type VisualLayer } from './counts.js';
import { freshenClasses, visualOf } from './stored-classes.js';

/**
 * The settings of a layer's visualization of the types 1 to 7 in the structure of the interface; undefined without one, or
 * for a deleted layer.
 */
export async function visualView(
  db: Database,
  layerId: number,
  languages: AnswerLanguages,
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

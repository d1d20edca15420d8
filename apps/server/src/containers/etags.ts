import type { Queryable, Snapshot } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { etagOf } from '../http/reply.js';
import type { Container } from './containers.js';

/*
 * ETags of what editors write. They are made from what is stored, not from an answer, so that one is the same in all languages and
 * for all callers, and is not changed by a write of something else.
 */

/**
 * The ETag of a map, folder or layer: of what a change of it may write, without its place among its siblings, which their changes
 * move too, and without the classes that the service makes from the data.
 */
export const containerTag = (container: Container): string =>
  etagOf(
    container.id,
    container.code,
    [container.name, container.names, container.localized_name],
    [container.css_style, container.style_mode, container.vector_settings, container.simple_style],
    [container.visual_settings, container.visual_custom_settings],
    [container.render_type, container.render_settings, container.tiles_quality, container.view_format_type],
    [container.selected, container.icon, container.meta, container.json, container.parent_id],
    [container.group_layers, container.publish, container.comment, container.show_pub, container.locales],
  );

/**
 * The ETag of the trees of a map: the order and folders of its layers, and the publication tree. `at`: a snapshot for the
 * snapshot-validated cache, not newer than the tree that the tag goes with.
 */
export async function treeTag(db: Queryable, mapId: number, at?: Snapshot): Promise<string> {
  const [row] = await db.cachedQuery<{ tag: string }>(
    sql`
    select md5(jsonb_build_array(
      (select tree_saved from cartulary.container where id = ${mapId}),
      (select jsonb_agg(jsonb_build_array(c.id, c.parent_id, c.sort) order by c.id)
        from cartulary.container c where c.map_id = ${mapId} and c.type <> 'map'),
      (select jsonb_agg(jsonb_build_array(p.id, p.parent_id, p.sort, p.selected, p.map_layer_id, p.icon) order by p.id)
        from cartulary.publication_item p where p.map_id = ${mapId}))::text) as tag`,
    at,
  );
  return etagOf(mapId, row!.tag);
}

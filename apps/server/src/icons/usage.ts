import { checkLayerStyle } from '@cartulary/cartocss';
import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { rightOn } from '../access/rights.js';

/** A layer or folder that uses an icon, with the caller's right on it. */
export interface IconUser {
  map: string;
  code: string;
  right: number;
}

interface Suspect extends IconUser {
  css_style: string;
  /** Whether its settings name the path of the icon. */
  names: boolean;
}

/**
 * The layers and folders that need an icon: layers whose style names it, and those that name its path.
 * `names`: all icon names, with this one.
 */
export async function usersOf(
  db: Queryable,
  caller: Caller,
  name: string,
  names: ReadonlyMap<string, string>,
): Promise<IconUser[]> {
  const right = rightOn(caller, {
    project: sql`m.project_id`,
    map: { id: sql`m.id`, publish: sql`m.publish` },
    layer: sql`c.id`,
  });
  const path = `/api/2.8/${caller.project.code}/icons/${name}/`;
  const suspects = await db.query<Suspect>(sql`
    select m.code as map, c.code, ${right} as "right", c.css_style,
      (position(${path} in c.icon) > 0 or position(${path} in coalesce(c.vector_settings::text, '')) > 0
        or position(${path} in coalesce(c.visual_settings::text, '')) > 0
        or position(${path} in coalesce(c.visual_custom_settings::text, '')) > 0
        or exists (select from cartulary.publication_item i where i.map_layer_id = c.id and position(${path} in i.icon) > 0)) as names
    from cartulary.container c join cartulary.container m on m.id = c.map_id
    where c.project_id = ${caller.project.id} and c.type <> 'map'
    order by m.code, c.code`);
  const without = new Map([...names].filter(([one]) => one !== name));
  return suspects.filter(
    (suspect) => suspect.names || (suspect.css_style.includes(name) && needs(suspect, names, without)),
  );
}

/** Whether a style is invalid without the icon and valid with it, as far as icons go. */
function needs(
  { code, css_style }: Suspect,
  names: ReadonlyMap<string, string>,
  without: ReadonlyMap<string, string>,
): boolean {
  const layer = { code, classes: [], columns: undefined };
  const problems = (icons: ReadonlyMap<string, string>): number =>
    checkLayerStyle(css_style, layer, { icons }).length;
  return problems(without) > problems(names);
}

import { asObject, exactly, type Field, wrong } from './fields.js';
import { hexbin } from './hexbin.js';
import type { VisualColumn } from './kind.js';
import type { CustomSettings, Plugin } from './plugin.js';

/** The one table of plugins, by their names. */
const plugins: ReadonlyMap<string, Plugin> = new Map([['hexbin', hexbin]]);

/** The plugin of settings that were checked. */
export const pluginOf = ({ type }: Pick<CustomSettings, 'type'>): Plugin => plugins.get(type)!;

const at = 'visualCustomSettings';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostReferences = 100;

/** An object UUID → what is referenced by it. */
const references =
  <T>(item: Field<T>): Field<Record<string, T>> =>
  (value, at) => {
    const sent = Object.entries(asObject(value, at));
    if (sent.length > mostReferences) throw wrong(at, `an object of at most ${mostReferences} references`);
    const read = sent.map(([key, one]): [string, T] => {
      const where = `${at}.${key.slice(0, 60)}`;
      if (!uuid.test(key)) throw wrong(where, 'no UUID');
      return [key, item(one, where)];
    });
    return Object.fromEntries(read);
  };

const iconPath: Field<string> = (value, at) => {
  if (typeof value !== 'string' || value === '' || value.length > 1000)
    throw wrong(at, 'the path of an icon, of at most 1000 characters');
  return value;
};

const any: Field<unknown> = (value) => value;

/** Settings as they were sent, complete: what is absent has its default. Throws 400 that names what is wrong. */
export function checkCustom(sent: unknown, columns: readonly VisualColumn[], id: number): CustomSettings {
  const column: Field<VisualColumn> = (value, at) => {
    const found = columns.find((one) => one.id === value);
    if (!found) throw wrong(at, 'the id of a column of the layer');
    return found;
  };
  const fields = {
    id: any,
    type: any,
    columns: references(column),
    icons: references(iconPath),
    settings: any,
  };
  const { type, ...input } = exactly(fields)(sent, at);
  const plugin = typeof type === 'string' ? plugins.get(type) : undefined;
  if (!plugin) throw wrong(`${at}.type`, `required, the name of a plugin: ${[...plugins.keys()].join(', ')}`);
  const named = {
    columns: new Map(Object.entries(input.columns)),
    icons: new Map(Object.entries(input.icons)),
  };
  return {
    id,
    type: type as string,
    columns: Object.fromEntries([...named.columns].map(([key, one]) => [key, one.id])),
    icons: input.icons,
    settings: plugin.check(input.settings, named, `${at}.settings`),
  };
}

/** The texts that were sent as paths of icons, before anything is checked. */
export const iconPathsIn = (sent: unknown): string[] => {
  const { icons } = (sent ?? {}) as { icons?: unknown };
  return typeof icons === 'object' && icons !== null
    ? Object.values(icons).filter((one) => typeof one === 'string')
    : [];
};

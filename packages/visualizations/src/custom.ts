import type { VisualColumn } from './column.js';
import { asObject, exactly, type FieldReader, wrong } from './fields.js';
import { hexbin } from './kinds/hexbin.js';
import type { CustomSettings, Plugin } from './plugin.js';

/** The one table of plugins: name → plugin. */
const plugins: ReadonlyMap<string, Plugin> = new Map([['hexbin', hexbin]]);

/** The plugin of checked settings. */
export const pluginOf = ({ type }: Pick<CustomSettings, 'type'>): Plugin => plugins.get(type)!;

const at = 'visualCustomSettings';
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const referenceLimit = 100;

/** An object: UUID → reference. */
const references =
  <T>(item: FieldReader<T>): FieldReader<Record<string, T>> =>
  (value, at) => {
    const sent = Object.entries(asObject(value, at));
    if (sent.length > referenceLimit) throw wrong(at, `an object of at most ${referenceLimit} references`);
    const read = sent.map(([key, one]): [string, T] => {
      const where = `${at}.${key.slice(0, 60)}`;
      if (!uuid.test(key)) throw wrong(where, 'no UUID');
      return [key, item(one, where)];
    });
    return Object.fromEntries(read);
  };

const iconPath: FieldReader<string> = (value, at) => {
  if (typeof value !== 'string' || value === '' || value.length > 1000)
    throw wrong(at, 'the path of an icon, of at most 1000 characters');
  return value;
};

const any: FieldReader<unknown> = (value) => value;

/** Returns complete settings with defaults from those of a request. Throws 400 that names the mistake. */
export function checkCustom(sent: unknown, columns: readonly VisualColumn[], id: number): CustomSettings {
  const column: FieldReader<VisualColumn> = (value, at) => {
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

/** The icon paths of a request, before it is checked. */
export const iconPathsIn = (sent: unknown): string[] => {
  const { icons } = (sent ?? {}) as { icons?: unknown };
  return typeof icons === 'object' && icons !== null
    ? Object.values(icons).filter((one) => typeof one === 'string')
    : [];
};

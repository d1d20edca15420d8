import type { Drawer, LegendHead, VisualColumn } from './kind.js';

/** Settings of a custom visualization in the structure of the interface, complete. */
export interface CustomSettings {
  id: number;
  /** The name of the plugin that draws it. */
  type: string;
  /** UUID → id of a column: what `settings` names a column by. */
  columns: Readonly<Record<string, number>>;
  /** UUID → path of an icon. */
  icons: Readonly<Record<string, string>>;
  settings: object;
}

/** What the UUIDs in the settings of a plugin stand for. */
export interface References {
  columns: ReadonlyMap<string, VisualColumn>;
  icons: ReadonlyMap<string, string>;
}

/**
 * A visualization beside the types 1 to 7. What it reads of the data, its picture and its legend it says in the same terms as
 * they do (kind.ts), so that classes, tiles, icons and legends of it are made, kept and counted as theirs. Pure.
 */
export interface Plugin extends Drawer<CustomSettings> {
  /** The settings complete, what is absent with its default: they are kept and answered so. Throws 400 that names what is wrong below `at`. */
  check(settings: unknown, references: References, at: string): object;
  /** What its legend says beside the classes. */
  head(settings: CustomSettings): LegendHead;
}

import type { VisualColumn } from './column.js';
import type { Visual, VisualDrawer, VisualSettings } from './kind.js';
import type { LegendHead } from './legend.js';

/** Complete settings of a custom visualization, in the structure of the interface. */
export interface CustomSettings {
  id: number;
  /** The name of the plugin that draws it. */
  type: string;
  /** UUID → id of a column. `settings` references columns by UUID. */
  columns: Readonly<Record<string, number>>;
  /** UUID → path of an icon. */
  icons: Readonly<Record<string, string>>;
  settings: object;
}

/** The targets of the UUIDs in a plugin's settings. */
export interface References {
  columns: ReadonlyMap<string, VisualColumn>;
  icons: ReadonlyMap<string, string>;
}

/**
 * A visualization other than the types 1 to 7. It describes its statistics, drawing and legend in the same terms (`kind.ts`),
 * so the service creates, stores and counts its classes, tiles, icons and legends in the same way. Pure.
 */
export interface Plugin extends VisualDrawer<CustomSettings> {
  /** Returns complete settings with defaults, as they are stored and returned. Throws 400 that names the mistake below `at`. */
  check(settings: unknown, references: References, at: string): object;
  /** Properties of its legend other than the classes. */
  head(settings: CustomSettings): LegendHead;
}

/** A visualization of a kind or of a plugin. */
export type AnyVisual = Visual<VisualSettings | CustomSettings>;

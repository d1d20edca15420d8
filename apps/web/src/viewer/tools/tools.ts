import { IconColumns, IconListSearch, IconPrinter, IconRuler, IconShare } from '../../common/icons.js';

/** The tools of the map page, in the order of their menu. Each is loaded when it is first opened. */
export const tools = {
  objects: { Icon: IconListSearch, load: () => import('./objects/Objects.js') },
  measure: { Icon: IconRuler, load: () => import('./measure/Measure.js') },
  compare: { Icon: IconColumns, load: () => import('./compare/Compare.js') },
  sheet: { Icon: IconPrinter, load: () => import('./sheet/Sheet.js') },
  share: { Icon: IconShare, load: () => import('./share/Share.js') },
} as const;

export type ToolName = keyof typeof tools;
export const toolNames = Object.keys(tools) as ToolName[];

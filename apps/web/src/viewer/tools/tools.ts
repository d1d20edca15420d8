import { lazy } from 'react';
import { IconColumns, IconListSearch, IconPrinter, IconRuler, IconShare } from '../../common/icons.js';

/** The tools of the map page, in the order of their menu. Each is loaded when it is first opened. */
export const tools = {
  objects: { Icon: IconListSearch, IconPrinter, Content: lazy(() => import('./objects/Objects.js')) },
  measure: { Icon: IconRuler, Content: lazy(() => import('./measure/Measure.js')) },
  compare: { Icon: IconColumns, Content: lazy(() => import('./compare/Compare.js')) },
  sheet: { Icon: IconPrinter, Content: lazy(() => import('./sheet/Sheet.js')) },
  share: { Icon: IconShare, Content: lazy(() => import('./share/Share.js')) },
} as const;

export type ToolName = keyof typeof tools;
export const toolNames = Object.keys(tools) as ToolName[];

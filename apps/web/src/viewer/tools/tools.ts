import { lazy } from 'react';
import { IconRuler, IconShare } from '../../common/icons.js';

/** The tools of the map page, in the order of their menu. Each is loaded when it is first opened. */
export const tools = {
  measure: { Icon: IconRuler, Content: lazy(() => import('./measure/Measure.js')) },
  share: { Icon: IconShare, Content: lazy(() => import('./share/Share.js')) },
} as const;

export type ToolName = keyof typeof tools;
export const toolNames = Object.keys(tools) as ToolName[];

import type { AnswerOf } from '@cartulary/client';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../../../common/texts/language.js';
import { clientOf } from '../../../client.js';
import type { Workspace } from '../../useWorkspace.js';

const legendPath = '/api/2.8/{project}/{map}/layers/{layer}/legend/';

export type Legend = AnswerOf<typeof legendPath, 'get'>;
export type LegendEntry = Legend['classificators'][number];

/**
 * The legend of the user's draft, or of the saved style where there is none: read anew with each version of the draft and of the
 * workspace, which has another one after the draft is saved. Null until it is read.
 */
export function useLegend(
  { project, map, version: saved }: Workspace,
  layer: string,
  version: number,
): { legend: Legend; version: number } | null {
  const { ui } = useLanguage();
  const [state, setState] = useState<{ legend: Legend; version: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved is read anew
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const params = { path: { map: map.code, layer }, query: { draft: '1', lng: ui } } as const;
    clientOf(project)
      .get(legendPath, { params, signal })
      .then((legend) => !signal.aborted && setState({ legend, version }))
      .catch(() => !signal.aborted && setState(null));
    return () => controller.abort();
  }, [project, map.code, layer, version, saved, ui]);
  return state;
}

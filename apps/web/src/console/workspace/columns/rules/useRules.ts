import { clientOf } from '../../../client.js';
import { type Loaded, useLoaded } from '../../../useLoaded.js';
import type { Workspace, WorkspaceItem } from '../../useWorkspace.js';
import { hasRules, type Rules, readRules } from './rules.js';

/** The rules of a layer; undefined until they are read. */
export function useRules({ project, map, version }: Workspace, item: WorkspaceItem): Loaded<Rules> {
  const path = { map: map.code, layer: item.code };
  return useLoaded(
    JSON.stringify([project, path]),
    async (signal) =>
      hasRules(item) ? readRules(clientOf(project), path, signal) : { list: [], isAdministrator: false },
    version,
  );
}

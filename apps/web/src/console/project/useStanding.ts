import { clientOf } from '../client.js';
import { useLoaded } from '../useLoaded.js';
import type { Standing } from './pages.js';

/** What the user looks after; `everybody` until it is known. */
export function useStanding(project: string | null): Standing {
  const { value } = useLoaded(project ?? '', async (signal): Promise<Standing> => {
    if (project === null) return 'everybody';
    const { right, grant } = await clientOf(project).get('/api/2.8/{project}/rights/explain/', { signal });
    if (right !== 'administer') return 'everybody';
    // The right of an administrator of the whole service comes from no grant.
    return grant === null ? 'installer' : 'administrator';
  });
  return value ?? 'everybody';
}

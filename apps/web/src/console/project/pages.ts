import { useQuery } from '../router.js';

/** The pages of a project beside its maps. */
export const projectPages = ['users', 'icons', 'jobs', 'account'] as const;
export type ProjectPageName = (typeof projectPages)[number];

/** The page that the query of the address names; null: the maps. */
export function usePageName(): ProjectPageName | null {
  const page = new URLSearchParams(useQuery()).get('page');
  return projectPages.find((one) => one === page) ?? null;
}

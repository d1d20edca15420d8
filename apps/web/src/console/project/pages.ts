import { useQuery } from '../router.js';

/** The pages of a project beside its maps, and of the whole service, with who uses them. */
const users = {
  users: 'administrator',
  icons: 'everybody',
  jobs: 'everybody',
  storage: 'administrator',
  journal: 'administrator',
  account: 'everybody',
  projects: 'installer',
  settings: 'installer',
} as const;

export type ProjectPageName = keyof typeof users;
const projectPages = Object.keys(users) as ProjectPageName[];

/** What a user looks after: nothing, a project, or the whole service. */
export type Standing = 'everybody' | 'administrator' | 'installer';
const standings: readonly Standing[] = ['everybody', 'administrator', 'installer'];

/** The pages that a user has a use for. */
export const pagesFor = (standing: Standing): ProjectPageName[] =>
  projectPages.filter((page) => standings.indexOf(users[page]) <= standings.indexOf(standing));

/** The page that the query of the address names; null: the maps. */
export function usePageName(): ProjectPageName | null {
  const page = new URLSearchParams(useQuery()).get('page');
  return projectPages.find((one) => one === page) ?? null;
}

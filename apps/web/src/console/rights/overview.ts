import { type AnswerOf, ClientError } from '@cartulary/client';
import { clientOf } from '../client.js';
import { useLoaded } from '../useLoaded.js';

export type Overview = AnswerOf<'/api/2.8/{project}/rights/overview/', 'get'>;
export type Grant = Overview['grants'][number];
export type Level = Grant['right'];

export const levels: readonly Level[] = ['none', 'view', 'edit', 'administer'];

/** The project, a map, or a layer of a map. */
export interface Place {
  map?: string;
  layer?: string;
  name: string;
}

/** A user or a group. The public is the user `public`. */
export type Principal = { user: string } | { group: string };

/** What is granted to a principal on a place itself; null: nothing. */
export const grantedOn = (grants: readonly Grant[], principal: Principal, place: Place): Level | null =>
  grants.find((grant) => isOf(grant, principal) && grant.map === place.map && grant.layer === place.layer)
    ?.right ?? null;

/** What a principal has on a place from the places above it. */
export function inheritedOn(grants: readonly Grant[], principal: Principal, place: Place): Level {
  if (place.map === undefined) return 'none';
  const above: Place = place.layer === undefined ? { name: '' } : { map: place.map, name: '' };
  return grantedOn(grants, principal, above) ?? inheritedOn(grants, principal, above);
}

const isOf = (grant: Grant, principal: Principal): boolean =>
  'user' in principal ? grant.user === principal.user : grant.group === principal.group;

export interface OverviewState {
  overview: Overview | null;
  /** Whether the user administers the project, as the overview needs. */
  isAllowed: boolean;
  error: unknown;
  reload: () => Promise<void>;
}

/** All users, groups and grants of a project. */
export function useOverview(project: string): OverviewState {
  const {
    value = null,
    error,
    reload,
  } = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/{project}/rights/overview/', { signal }),
  );
  const isAllowed = !(error instanceof ClientError && error.status === 403);
  return { overview: value, isAllowed, error: isAllowed ? error : null, reload };
}

/** Stores a grant; null removes it, so that the place inherits. */
export async function putGrant(
  project: string,
  principal: Principal,
  { map, layer }: Place,
  right: Level | null,
): Promise<void> {
  const client = clientOf(project);
  const body = { ...principal, right };
  if (map === undefined) await client.put('/api/2.8/{project}/rights/', { body });
  else if (layer === undefined)
    await client.put('/api/2.8/{project}/{map}/rights/', { params: { path: { map } }, body });
  else
    await client.put('/api/2.8/{project}/{map}/layers/{layer}/rights/', {
      params: { path: { map, layer } },
      body,
    });
}

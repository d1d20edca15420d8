import type { CallOptions, ServiceCalls } from './calls.js';
import type { LayerOfMap, ObjectDetails, ObjectSelection } from './types.js';

export interface ListOptions extends Omit<CallOptions, 'isRead'> {
  /** Objects in one request; 1,000 when absent. */
  pageSize?: number;
}

/**
 * The objects of a layer, page by page. The service tells where the next page begins (`Link: rel="next"`), by a cursor: no
 * object comes twice or is left out while others write.
 */
export async function* objectsOf(
  calls: ServiceCalls,
  path: LayerOfMap,
  { filter, ...query }: ObjectSelection,
  { pageSize, ...options }: ListOptions,
): AsyncGenerator<ObjectDetails> {
  const params = { path, query: pageSize === undefined ? query : { ...query, limit: pageSize } };
  const first = calls.address('/api/2.8/{project}/{map}/layers/{layer}/objects/', params);
  // Only the function that takes a body takes a filter.
  const how = filter === undefined ? {} : { method: 'POST', json: { filter }, isRead: true };
  const start = filter === undefined ? first : first.replace(/objects\/(?=\?|$)/, 'filter/');
  let next: string | undefined = start;
  while (next !== undefined) {
    let link: string | null = null;
    const page: ObjectDetails[] = await calls.read<ObjectDetails[]>(next, {
      ...options,
      ...how,
      onResponse: (response) => {
        link = response.headers.get('link');
        options.onResponse?.(response);
      },
    });
    yield* page;
    next = nextAddress(start, link);
  }
}

/**
 * The next address: the parameters of the link at the address of the client, which behind a proxy may be another than the
 * service knows of.
 */
function nextAddress(address: string, link: string | null): string | undefined {
  const search = /<[^>]*(\?[^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return search === undefined ? undefined : address.replace(/\?.*$|$/, search);
}

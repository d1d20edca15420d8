import type { Database } from '@cartulary/database';
import type { DocumentOf } from '../common/documents.js';
import { extentsOf, namesOf, shownBox, wholeMap } from '../common/map-layers.js';
import { setsIn } from '../common/matrix-sets.js';
import { capabilitiesXml, type DescribedLayer } from './capabilities.js';

/** Writes the capabilities of a map. */
export const wmtsDocument =
  (db: Database) =>
  async ({ request, served, map, address, api, query, languages }: DocumentOf): Promise<string> => {
    const { state, content, layers: ids, attribution } = served;
    const names = await namesOf(db, [state.id, ...ids], languages);
    const boxes = await extentsOf(db, served, ids, request.gone);
    const boxOf = (id: number) => boxes.get(id) ?? null;
    const layers = ids.map((id): DescribedLayer => {
      const { code } = content.layers.get(id)!;
      return {
        identifier: code,
        title: names.get(id)?.title ?? code,
        box: shownBox([boxOf(id)]),
        legend: `${api}/layers/${code}/icon/${query ? `?${query}` : ''}`,
      };
    });
    const title = names.get(state.id)?.title ?? map;
    const all = shownBox(ids.map(boxOf));
    return capabilitiesXml({
      title,
      attribution,
      address,
      query,
      sets: await setsIn(db, all),
      layers: [{ identifier: wholeMap, title, box: all }, ...layers],
    });
  };

import type { Database } from '@cartulary/database';
import type { DocumentOf } from '../common/documents.js';
import { extentsOf, namesOf, shownBox, wholeMap } from '../common/map-layers.js';
import { boxesIn, setsIn } from '../common/matrix-sets.js';
import { capabilitiesXml, type DescribedLayer } from './capabilities.js';

/** Writes the capabilities of a map. */
export const wmtsDocument =
  (db: Database) =>
  async ({ request, served, map, address, api, query, languages }: DocumentOf): Promise<string> => {
    const { state, content, layers: ids, attribution } = served;
    const names = await namesOf(db, [state.id, ...ids], languages);
    const boxes = await extentsOf(db, served, ids, request.gone);
    const boxOf = (id: number) => boxes.get(id) ?? null;
    const layers = ids.map((id): Omit<DescribedLayer, 'boxes'> => {
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
    const sets = await setsIn(db, all);
    const described = [{ identifier: wholeMap, title, box: all }, ...layers];
    const planes = sets.filter(({ crs }) => !crs.isDegrees);
    const onPlanes = await Promise.all(
      planes.map((set) =>
        boxesIn(
          db,
          set,
          described.map(({ box }) => box),
        ),
      ),
    );
    return capabilitiesXml({
      title,
      attribution,
      address,
      query,
      sets,
      layers: described.map((layer, index) => ({
        ...layer,
        boxes: planes.map((set, plane) => ({ set, box: onPlanes[plane]![index] })),
      })),
    });
  };

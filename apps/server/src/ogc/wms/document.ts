import type { Database } from '@cartulary/database';
import { listedCrs } from '../common/crs.js';
import type { DocumentOf } from '../common/documents.js';
import { extentsOf, namesOf, wholeMap } from '../common/map-layers.js';
import { wmsCapabilitiesXml } from './capabilities.js';
import { answeredVersion, mostLayers } from './parameters.js';
import { joined, nodesOf } from './tree.js';

/** Writes the capabilities of a map. */
export const wmsDocument =
  (db: Database, side: number) =>
  async ({ request, served, map, address, query, languages, version }: DocumentOf): Promise<string> => {
    const { state, content, layers, attribution } = served;
    const inTree = [...content.published.nodes.values()].map(({ container_id }) => container_id);
    const names = await namesOf(db, [state.id, ...new Set(inTree)], languages);
    const boxes = await extentsOf(db, served, layers, request.gone);
    const children = nodesOf({ content, layers, names, boxes });
    const box = joined(children);
    const [west, south, east, north] = box;
    const systems = listedCrs({ west, south, east, north }).map((uri) => `EPSG:${uri.split('/').at(-1)}`);
    const isNew = version === '1.3.0';
    const title = names.get(state.id)?.title ?? map;
    return wmsCapabilitiesXml({
      version: answeredVersion(version),
      title,
      attribution,
      address,
      query,
      crs: [...(isNew ? ['CRS:84'] : []), ...systems.filter((name) => name !== 'EPSG:CRS84')],
      limits: { layers: mostLayers, side },
      root: {
        name: wholeMap,
        title,
        box,
        isQueryable: children.some(({ isQueryable }) => isQueryable),
        scales: { min: undefined, max: undefined },
        entries: 0,
        children,
      },
    });
  };

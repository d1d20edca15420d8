import { layerCode, layerPath, map, polygonLayer } from '../../data/layer.js';
import { type Check, demand, openClient } from '../../load.js';
import { compare, type Finding } from '../../measure.js';
import { perProcessorSecond } from '../../processor.js';
import { serviceOf } from '../../service.js';
import type { Row } from '../row.js';

const most = 1_000;

/** Pages of a side in a round: processor time is counted in hundredths of a second. */
const pages = 400;

interface Way {
  path: string;
  check: Check;
}

/** The same objects, columns and geometries in each form. */
const list: Way = {
  path: `/api/2.8/demo${layerPath}/objects/?fields=*&returnGeom=1&limit=${most}`,
  check: demand('application/json'),
};
const ways: readonly (Way & { name: string; atLeast: number })[] = [
  {
    name: 'OGC API Features',
    path: `/ogc/demo/${map}/collections/${layerCode}/items?limit=${most}`,
    check: demand('application/geo+json'),
    atLeast: 0.9,
  },
  {
    name: 'WFS, GML',
    path: `/wfs/demo/${map}?request=GetFeature&typenames=${layerCode}&count=${most}`,
    check: demand('application/gml+xml'),
    atLeast: 0.4,
  },
];

/** Pages of features by the standards' doors, beside the list of the interface with the same columns. */
export const features: Row = {
  code: 'features',
  what: `pages of ${most} features`,
  isExtra: true,
  isWithoutPeers: true,
  async measure(stage) {
    await polygonLayer(stage);
    const service = await serviceOf(stage);
    const client = openClient(service.url, 1);
    const asking =
      ({ path, check }: Way) =>
      (): Promise<number> =>
        perProcessorSecond(service, async () => {
          for (let i = 0; i < pages; i++) check(await client.get(path), path);
          return pages;
        });
    const findings: Finding[] = [];
    await asking(list)();
    for (const way of ways) {
      await asking(way)();
      findings.push({
        work: `pages of ${most} features by ${way.name}, per second of processor time`,
        unit: 'pages/s',
        peer: 'the list of the interface',
        target: { atLeast: way.atLeast },
        ...(await compare(stage.options, asking(way), asking(list))),
      });
    }
    client.close();
    return { findings };
  },
};

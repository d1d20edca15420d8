import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Layer, layerCode, map, polygonLayer } from '../../data/layer.js';
import { demand, inParallel, openClient } from '../../load.js';
import { compare, type Finding, type Side, timed } from '../../measure.js';
import { qgisServer } from '../../peers/qgis.js';
import { makeMap, type Service, serviceOf } from '../../service.js';
import { run, type Stage } from '../../stage.js';
import type { Row } from '../row.js';

const most = 1_000;
/** Pages of a side in a round. */
const pages = 20;
const manyLayers = 2_000;

/** Features by the standards' doors beside QGIS Server, and the capabilities of very many layers. */
export const doors: Row = {
  code: 'doors',
  what: 'features by OGC API Features beside QGIS Server, capabilities of many layers',
  isExtra: true,
  async measure(stage) {
    const layer = await polygonLayer(stage);
    const service = await serviceOf(stage);
    const findings = [
      await pagesBeside(stage, layer, service),
      ...(await collectionBeside(stage, layer, service)),
      ...(await capabilities(stage, service)),
    ];
    return { findings };
  },
};

/** Pages of 1,000 features with the same columns. */
async function pagesBeside(stage: Stage, layer: Layer, service: Service): Promise<Finding> {
  const qgis = await qgisServer(stage, layer);
  const asking =
    (base: string, path: string): Side =>
    async () => {
      const client = openClient(base, 1);
      const seconds = await timed(async () => {
        for (let i = 0; i < pages; i++) {
          const answer = await client.get(path);
          demand('application/')(answer, path);
          const count = answer.bytes.toString().split('"Polygon"').length - 1;
          if (count !== most) throw new Error(`${path}: ${count} polygons`);
        }
      });
      client.close();
      return pages / seconds;
    };
  const own = `/ogc/demo/${map}/collections/${layerCode}/items?limit=${most}&properties=class,name,value`;
  const ours = asking(service.url, own);
  await ours(0);
  return {
    work: `pages of ${most} features, OGC API Features and WFS`,
    unit: 'pages/s',
    peer: 'QGIS Server',
    target: { atLeast: 3 },
    ...(await compare(stage.options, ours, asking(qgis.base, qgis.page(most)))),
  };
}

/** GDAL 3.6 asks for ten features a page unless it is told otherwise. QGIS Server sends all at once. */
const pageSize = ['-oo', 'PAGE_SIZE=10000'];

/** A whole collection, read by GDAL. */
async function collectionBeside(stage: Stage, layer: Layer, service: Service): Promise<Finding[]> {
  const qgis = await qgisServer(stage, layer);
  const file = join(stage.folder, 'collection.gpkg');
  const reading =
    (source: string, type: string, options: readonly string[] = []): Side =>
    async () => {
      await rm(file, { force: true });
      const seconds = await timed(() =>
        run('ogr2ogr', ['-f', 'GPKG', file, source, type, '-nln', layerCode, ...options], {
          maxBuffer: 1 << 26,
        }),
      );
      const { stdout } = await run('ogrinfo', ['-so', file, layerCode]);
      const count = Number(/Feature Count: (\d+)/.exec(stdout)?.[1]);
      if (count !== stage.options.features) throw new Error(`${source}: ${count} features`);
      return count / seconds;
    };
  const [wfs, api] = ['WFS', 'OGC API Features'];
  const theirs = {
    [wfs]: reading(`WFS:${qgis.base}${qgis.door}`, layerCode),
    [api]: reading(`OAPIF:${qgis.base}${qgis.api}`, layerCode, pageSize),
  };
  const beside = async (door: string, ours: Side, peer: string): Promise<Finding> => ({
    work: `a collection of ${stage.options.features} features by ogr2ogr, ${door}`,
    unit: 'features/s',
    peer: `QGIS Server, ${peer}`,
    target: { atLeast: 2 },
    ...(await compare(stage.options, ours, theirs[peer]!)),
  });
  const ours = {
    [wfs]: reading(`WFS:${service.url}/wfs/demo/${map}`, `map:${layerCode}`),
    [api]: reading(`OAPIF:${service.url}/ogc/demo/${map}/`, layerCode, pageSize),
  };
  return [
    await beside(wfs, ours[wfs]!, wfs),
    await beside(api, ours[api]!, api),
    await beside(api, ours[api]!, wfs),
  ];
}

/** The documents of a map of 2,000 layers: after a change, and again. */
async function capabilities(stage: Stage, service: Service): Promise<Finding[]> {
  const many = 'many';
  await makeMap(service, many);
  const numbers = Array.from({ length: manyLayers }, (_, i) => i);
  await inParallel(numbers, 4, async (i) => {
    await service.admin('POST', `/${many}/layers/`, { code: `layer_${i}` });
  });
  const client = openClient(service.url, 1);
  const findings: Finding[] = [];
  for (const [name, path] of [
    ['WMS', `/wms/demo/${many}/?service=WMS&request=GetCapabilities`],
    ['WFS', `/wfs/demo/${many}?service=WFS&request=GetCapabilities`],
    ['OGC API Features, collections', `/ogc/demo/${many}/collections`],
  ] as const) {
    const values: number[] = [];
    for (let round = 0; round < stage.options.rounds; round++) {
      await service.admin('PATCH', `/${many}/layers/layer_${round}/`, { name: `changed ${round}` });
      values.push(await timed(async () => demand('')(await client.get(path), path)));
    }
    findings.push({
      work: `capabilities of ${manyLayers} layers after a change, ${name}`,
      unit: 's',
      values,
      valueUnit: 's',
      target: { below: 0.5 },
    });
  }
  client.close();
  return findings;
}

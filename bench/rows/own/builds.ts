import { layerPath, makePolygons, map, polygonLayer } from '../../data/layer.js';
import { compare, type Finding, warmUpRounds } from '../../measure.js';
import { wrk } from '../../peers/wrk.js';
import { otherBuild, readers, type Service, serviceOf } from '../../service.js';
import type { Stage } from '../../stage.js';
import type { Row } from '../row.js';

const api = '/api/2.8/demo';
const objects = `${api}${layerPath}/objects/`;

/** Requests that both builds answer. */
const requests: Readonly<Record<string, string>> = {
  'one object': `${objects}77/?returnGeom=1`,
  'a list of 50': `${objects}?limit=50&fields=name,value`,
  'a list of 1,000 with geometries': `${objects}?limit=1000&fields=*&returnGeom=1`,
  'a sorted list': `${objects}?limit=50&sort=value&offset=500`,
  'a list in a box': `${objects}?limit=200&fbbox=48,2,49,3&fields=name`,
  'the layers of a map': `${api}/${map}/layers/`,
  'a cached tile': `/tms/demo/${map}/?z=6&x=33&y=41`,
  'a vector tile': `/mvt/demo/${map}/8/129/88.pbf?fields=name`,
};

/** Extra row: this build beside another one, each with a database of its own and the same layer. */
export const builds: Row = {
  code: 'builds',
  what: 'short requests, beside another build of the service',
  isExtra: true,
  isWithoutPeers: true,
  async measure(stage) {
    const { against } = stage.options;
    if (against === undefined) throw new Error('--against names the main file of the other build');
    await polygonLayer(stage);
    const own = await serviceOf(stage);
    const other = await otherBuild(stage, against);
    await makePolygons(stage, other);
    const findings: Finding[] = [];
    for (const [work, path] of Object.entries(requests)) {
      const [ours, theirs] = [asked(stage, own, path), asked(stage, other, path)];
      for (let round = 0; round < warmUpRounds(stage.options); round++)
        for (const side of [ours, theirs]) await side();
      const compared = await compare(stage.options, ours, theirs);
      findings.push({ work, unit: 'requests/s', peer: 'other build', ...compared });
    }
    return { findings };
  },
};

const asked =
  (stage: Stage, { url }: Service, path: string) =>
  async (): Promise<number> => {
    const { seconds } = stage.options;
    return (await wrk(stage, { base: url, paths: [path], connections: readers, seconds })).perSecond;
  };

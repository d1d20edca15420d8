import { numbers } from '@cartulary/server/support/hexagons.js';
import { type Layer, layerPath, polygonLayer } from '../data/layer.js';
import { type Box, storePlaces } from '../data/places.js';
import { placeOf } from '../data/polygons.js';
import { type Answer, type Check, type Client, demand, openClient } from '../load.js';
import { compare, type Finding, type Side, warmUpRounds } from '../measure.js';
import { pgbench } from '../peers/pgbench.js';
import { qgisServer } from '../peers/qgis.js';
import { wrk } from '../peers/wrk.js';
import { readers, serviceOf } from '../service.js';
import type { Stage } from '../stage.js';
import type { Row } from './row.js';

const most = 1_000;
/** Half the side of a box, degrees. */
const [wide, high] = [0.6, 0.4];

/** Row 6: lists of objects with geometry in boxes. */
export const lists: Row = {
  code: 'lists',
  what: `lists of up to ${most} objects with shapes in a box`,
  async measure(stage) {
    const layer = await polygonLayer(stage);
    const service = await serviceOf(stage);
    const boxes = randomBoxes(stage, 2_000);
    await storePlaces(layer.database, 'boxes', boxes);
    const qgis = await qgisServer(stage, layer);
    const [own, other] = [openClient(service.url, 1), openClient(qgis.base, 1)];
    const ours = { client: own, path: ownPath, check: demand('application/json') };
    const theirs = {
      client: other,
      path: (box: Box) => qgis.features(box, most),
      check: demand('application/'),
    };
    await demandSame(boxes.slice(0, 20), ours, theirs);
    own.close();
    other.close();
    const { seconds } = stage.options;
    const asking =
      (base: string, path: (box: Box) => string): Side =>
      async () =>
        (await wrk(stage, { base, paths: boxes.map(path), connections: readers, seconds })).perSecond;
    const our = asking(service.url, ownPath);
    // Warm-up after the start.
    for (let more = 0; more < warmUpRounds(stage.options); more++) await our(more);
    const script = statement(layer, boxes.length);
    const { database } = layer;
    const beside = async (peer: string, atLeast: number, their: Side): Promise<Finding> => ({
      work: this.what,
      unit: 'lists/s',
      peer,
      target: { atLeast },
      ...(await compare(stage.options, our, their)),
    });
    const findings = [
      await beside('pgbench', 0.8, () => pgbench(stage, { database, script, seconds })),
      await beside('QGIS Server', 1.5, asking(qgis.base, theirs.path)),
    ];
    return { findings };
  },
};

/** Boxes that contain polygons. */
function randomBoxes({ options }: Stage, count: number): Box[] {
  const next = numbers(6_000);
  return Array.from({ length: count }, () => {
    const [lon, lat] = placeOf(Math.floor(next() * options.features));
    return [lon - wide, lat - high, lon + wide, lat + high].map((value) =>
      Number(value.toFixed(4)),
    ) as unknown as Box;
  });
}

const ownPath = ([west, south, east, north]: Box): string =>
  `/api/2.8/demo${layerPath}/objects/?fields=name,value&returnGeom=1&limit=${most}&fbbox=${[south, west, north, east].join(',')}`;

interface Way {
  client: Client;
  path(box: Box): string;
  check: Check;
}

async function ask({ client, path, check }: Way, box: Box): Promise<Answer> {
  const answer = await client.get(path(box));
  check(answer, path(box));
  return answer;
}

/** Throws if both sides list different numbers of objects. */
async function demandSame(boxes: readonly Box[], ours: Way, theirs: Way): Promise<void> {
  const count = ({ bytes }: Answer): number => bytes.toString().split('"Polygon"').length - 1;
  for (const box of boxes) {
    const [own, other] = [await ask(ours, box), await ask(theirs, box)];
    if (count(own) === 0 || Math.abs(count(own) - count(other)) > 0.02 * count(own) + 1)
      throw new Error(
        `in the box ${box} are ${count(own)} and ${count(other)} objects: ${other.bytes.subarray(0, 300)}`,
      );
  }
}

/** The statement that makes the same list. */
const statement = ({ table, columns }: Layer, boxes: number): string => `\\set i random(1, ${boxes})
select json_agg(json_build_object('id', svc_id, 'fields', json_build_object('name', name, 'value', value), 'geom', geom)) from (
  select t.svc_id, t.${columns.name} as name, t.${columns.value} as value, st_asgeojson(t.geom)::json as geom
  from ${table} t where st_intersects(t.geom, (select box from bench.boxes where i = :i))
  order by t.svc_id limit ${most}) q;
`;

import { toMercator } from '@cartulary/geo';
import { numbers } from '@cartulary/server/support/hexagons.js';
import { type Check, demand, inParallel, openClient } from '../../load.js';
import type { Look } from '../../looks/look.js';
import { looks } from '../../looks/looks.js';
import { makeOwnMap, type OwnMap } from '../../looks/own-map.js';
import { peerTiles } from '../../looks/peers/peer-tiles.js';
import { compare, type Finding, geometricMean, median, type Side } from '../../measure.js';
import { atOnce, serviceOf } from '../../service.js';
import { type Stage, say } from '../../stage.js';
import type { Row } from '../row.js';

const [width, height] = [1_024, 768];
/** Zoom levels of pictures; between them the scale is theirs. */
const zooms = [4, 6, 9, 12];
/** Pictures of each zoom level in a round. */
const perZoom = 3;

/** Metres of EPSG:3857. */
type Box = readonly [west: number, south: number, east: number, north: number];

const boxesOf = ({ places }: OwnMap, seed: number): Box[] => {
  const next = numbers(seed);
  return zooms.flatMap((zoom) => {
    const pixel = 156_543.033_928_041 / 2 ** zoom;
    return Array.from({ length: perZoom }, (): Box => {
      const [x, y] = toMercator(...places[Math.floor(next() * places.length)]!);
      return [
        x - (width / 2) * pixel,
        y - (height / 2) * pixel,
        x + (width / 2) * pixel,
        y + (height / 2) * pixel,
      ];
    });
  });
};

const query = (box: Box, layers: string, format: string): string =>
  new URLSearchParams({
    ...{ SERVICE: 'WMS', VERSION: '1.1.1', REQUEST: 'GetMap', STYLES: '', SRS: 'EPSG:3857' },
    ...{ LAYERS: layers, BBOX: box.join(','), WIDTH: String(width), HEIGHT: String(height), FORMAT: format },
  }).toString();

const demandPicture: Check = (answer, path) => {
  demand('image/png')(answer, path);
  if (answer.bytes.readUInt32BE(16) !== width) throw new Error(`${path}: not ${width} pixels wide`);
};

/** Pictures of GetMap beside MapServer's WMS, over the looks that it can draw; none is in a cache. */
export const wms: Row = {
  code: 'wms',
  what: `pictures of ${width} × ${height} pixels by WMS`,
  isExtra: true,
  async measure(stage) {
    const findings: Finding[] = [];
    for (const look of looks)
      if (!look.impossible?.MapServer) {
        const finding = { work: `pictures by WMS: ${look.what}`, ...(await besideMapServer(stage, look)) };
        say(`  ${look.code}: ${median(finding.values).toFixed(2)}`);
        findings.push(finding);
      }
    const values = findings[0]!.values.map((_, round) =>
      geometricMean(findings.map((finding) => finding.values[round]!)),
    );
    const all = {
      work: 'pictures by WMS: geometric mean over the looks',
      peer: 'MapServer',
      unit: 'pictures/s',
    };
    return { findings: [...findings, { ...all, values, target: { atLeast: 2 } }] };
  },
};

async function besideMapServer(stage: Stage, look: Look): Promise<Omit<Finding, 'work'>> {
  const own = await makeOwnMap(stage, look);
  const service = await serviceOf(stage);
  const layers = own.layers.map(({ layer }) => layer.code).join(',');
  const { base, file } = await peerTiles.MapServer(stage, own);
  const ours = sideOf(
    stage,
    own,
    service.url,
    (box) => `/wms/demo/${own.map}/?${query(box, layers, 'image/png')}`,
  );
  // The name of a MAP file is that of the layer of all its layers.
  const theirs = sideOf(stage, own, base, (box) => `/?map=${file}&${query(box, 'bench', 'png24')}`);
  // Until its code is compiled, the service takes twice as long.
  await ours(100);
  await theirs(100);
  return { unit: 'pictures/s', peer: 'MapServer', ...(await compare(stage.options, ours, theirs)) };
}

/** Pictures per second that a server draws for four users. Each round has other places. */
const sideOf =
  (stage: Stage, own: OwnMap, base: string, path: (box: Box) => string): Side =>
  async (round) => {
    const client = openClient(base, atOnce);
    const least = stage.options.isQuick ? 0 : stage.options.seconds * 1_000;
    const start = performance.now();
    let pictures = 0;
    for (let more = 0; more === 0 || performance.now() - start < least; more++) {
      const boxes = boxesOf(own, 1_000 * round + more + 7);
      await inParallel(boxes, atOnce, async (box) => demandPicture(await client.get(path(box)), path(box)));
      pictures += boxes.length;
    }
    client.close();
    return (pictures * 1_000) / (performance.now() - start);
  };

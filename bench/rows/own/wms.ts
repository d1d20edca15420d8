import { toMercator } from '@cartulary/geo';
import { numbers } from '@cartulary/server/support/hexagons.js';
import { type Check, demand, inParallel, openClient } from '../../load.js';
import { chosenFrom } from '../../looks/measure-looks.js';
import { makeOwnMap, type OwnMap } from '../../looks/own-map.js';
import { peerTiles } from '../../looks/peers/peer-tiles.js';
import { compare, type Finding, type Side } from '../../measure.js';
import { atOnce, serviceOf } from '../../service.js';
import type { Stage } from '../../stage.js';
import type { Row } from '../row.js';

const [width, height] = [1_024, 768];
const codes = ['small-areas', 'roads', 'markers', 'thematic'];
/** Zoom levels of pictures; between them the scale is theirs. */
const zooms = [6, 9, 12];
/** Pictures of each zoom level in a round. */
const perZoom = 4;

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

/** Pictures of GetMap beside MapServer's WMS, over some looks; none is in a cache. */
export const wms: Row = {
  code: 'wms',
  what: `pictures of ${width} × ${height} pixels by WMS`,
  isExtra: true,
  async measure(stage) {
    const findings: Finding[] = [];
    for (const look of chosenFrom(new Set(codes))) {
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
      findings.push({
        work: `pictures of ${width} × ${height} pixels by WMS, ${look.code}`,
        unit: 'pictures/s',
        peer: 'MapServer',
        target: { atLeast: 2 },
        ...(await compare(stage.options, ours, theirs)),
      });
    }
    return { findings };
  },
};

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

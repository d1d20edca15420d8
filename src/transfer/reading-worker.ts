import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { wgs84 } from '../geo/srs.js';
import { gatherCoordinates, replaceCoordinates } from './coordinates.js';
import { createFeatureReader, type RawFeature } from './geojson.js';
import type { ReadingAnswer, ReadingOptions, ReadingRequest } from './reading.js';
import { createRowMaker } from './rows.js';

/*
 * The thread that reads one file: bytes in, rows to be staged out, one answer per request, so that a large import
 * never holds up the thread that answers requests.
 */

const options = workerData as ReadingOptions;
const reader = createFeatureReader(options);
const maker = createRowMaker(options);
/** Features whose coordinates are being transformed. */
let waiting: RawFeature[] = [];
let isEnd = false;

function answer(request: ReadingRequest): ReadingAnswer {
  switch (request.kind) {
    case 'bytes':
      return taken(reader.push(Buffer.from(request.bytes)));
    case 'end':
      isEnd = true;
      return taken(reader.end());
    case 'coordinates':
      replaceCoordinates(waiting, request.xy);
      return rowsOf(waiting);
  }
}

function taken(features: RawFeature[]): ReadingAnswer {
  const srs = reader.srs();
  if (srs === wgs84 || !features.length) return rowsOf(features);
  waiting = features;
  return { kind: 'transform', srs, first: features[0]!.number, ...gatherCoordinates(features) };
}

const rowsOf = (features: RawFeature[]): ReadingAnswer => ({
  kind: 'rows',
  rows: features.map(maker.row),
  properties: isEnd ? [...maker.properties] : undefined,
});

parentPort!.on('message', (request: ReadingRequest) => {
  parentPort!.postMessage(safeAnswer(request));
});

function safeAnswer(request: ReadingRequest): ReadingAnswer {
  try {
    return answer(request);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, data, status } = error;
    return { kind: 'error', code, message, data, status };
  }
}

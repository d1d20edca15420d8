/** The thread that reads files, one after the other, so that a large import never holds up the thread that answers requests. */

import { parentPort } from 'node:worker_threads';
import { ServiceError } from '../errors.js';
import { createReading } from './file-reading.js';
import { closeFiles } from './readers/open-file.js';
import { NotStraight } from './readers/straight.js';
import type { ReadingAnswer, ReadingOrder, ReadingRequest } from './reading.js';

let reading: ReturnType<typeof createReading>;

parentPort!.on('message', (order: ReadingOrder) => {
  if (order.kind === 'file') {
    closeFiles();
    reading = createReading(order.options);
    return;
  }
  const answer = safeAnswer(order);
  const bytes = answer.kind === 'rows' ? answer.packed.map((piece) => piece.bytes.buffer) : [];
  parentPort!.postMessage(answer, bytes);
});

function safeAnswer(request: ReadingRequest): ReadingAnswer {
  try {
    return reading(request);
  } catch (error) {
    closeFiles();
    if (error instanceof NotStraight) return { kind: 'not straight' };
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, data, status } = error;
    return { kind: 'error', code, message, data, status };
  }
}

/** The thread that reads files, one after the other: a large import must not block the thread that answers requests. */

import { parentPort } from 'node:worker_threads';
import { ServiceError } from '@cartulary/errors';
import { setThreadPriority } from '@cartulary/runtime';
import { NotDirectlyLoadable } from '../readers/direct-load.js';
import { closeFiles } from '../readers/open-file.js';
import { FileReading } from './file-reading.js';
import type { ReadingAnswer, ReadingOrder, ReadingRequest } from './reading-messages.js';

setThreadPriority('conversion');

let reading: FileReading;

parentPort!.on('message', (order: ReadingOrder) => {
  if (order.kind === 'file') {
    closeFiles();
    reading = new FileReading(order.options);
    return;
  }
  const answer = answerOrError(order);
  const transferred = answer.kind === 'rows' ? answer.packed.map((piece) => piece.bytes.buffer) : [];
  parentPort!.postMessage(answer, transferred);
});

function answerOrError(request: ReadingRequest): ReadingAnswer {
  try {
    return reading.answer(request);
  } catch (error) {
    closeFiles();
    if (error instanceof NotDirectlyLoadable) return { kind: 'not directly loadable' };
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, data, status } = error;
    return { kind: 'error', code, message, data, status };
  }
}

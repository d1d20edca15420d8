/** The thread that cleans SVGs, one after the other: one of thousands of elements takes a tenth of a second. */

import { parentPort } from 'node:worker_threads';
import { type ErrorData, ServiceError } from '@cartulary/errors';
import { setThreadPriority } from '@cartulary/runtime';
import { type CleanSvg, cleanSvg, type SvgLimits } from './svg.js';

export interface SvgOrder {
  source: string;
  limits: SvgLimits;
}

export type SvgAnswer = { clean: CleanSvg } | { refusal: { message: string; data: ErrorData } };

setThreadPriority('drawing');

parentPort!.on('message', ({ source, limits }: SvgOrder) =>
  parentPort!.postMessage(answerTo(source, limits)),
);

function answerTo(source: string, limits: SvgLimits): SvgAnswer {
  try {
    return { clean: cleanSvg(source, limits) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { refusal: { message: error.message, data: error.data } };
  }
}

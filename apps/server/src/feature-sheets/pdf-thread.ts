/** The thread that makes PDFs, one after the other: setting long texts takes its time, and may be left at any moment. */

import { parentPort } from 'node:worker_threads';
import { setThreadPriority } from '@cartulary/runtime';
import type { SheetContent } from './content.js';
import { type SheetLimits, setFeatureSheet } from './layout.js';

export interface FeatureSheetOrder {
  content: SheetContent;
  limits: SheetLimits;
}

/** A part of the PDF; null: the PDF is complete. */
export type FeatureSheetPiece = Uint8Array | null;

setThreadPriority('drawing');

const answer = (piece: FeatureSheetPiece): void => parentPort!.postMessage(piece);

parentPort!.on('message', async ({ content, limits }: FeatureSheetOrder) => {
  for await (const piece of setFeatureSheet(content, limits)) answer(piece as Uint8Array);
  answer(null);
});

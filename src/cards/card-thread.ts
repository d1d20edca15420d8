/** The thread that makes PDFs, one after the other: setting long texts takes its time, and may be left at any moment. */

import { parentPort } from 'node:worker_threads';
import type { CardContent } from './content.js';
import { type Limits, setCard } from './layout.js';

export interface CardOrder {
  content: CardContent;
  limits: Limits;
}

/** A part of the PDF; null: it is complete. */
export type CardPiece = Uint8Array | null;

const answer = (piece: CardPiece): void => parentPort!.postMessage(piece);

parentPort!.on('message', async ({ content, limits }: CardOrder) => {
  for await (const piece of setCard(content, limits)) answer(piece as Uint8Array);
  answer(null);
});

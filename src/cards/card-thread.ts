/** The thread that makes one PDF: setting long texts takes its time, and may be ended from outside at any moment. */

import { parentPort, workerData } from 'node:worker_threads';
import type { CardContent } from './content.js';
import { type Limits, setCard } from './layout.js';

const { content, limits } = workerData as { content: CardContent; limits: Limits };
for await (const chunk of setCard(content, limits)) parentPort!.postMessage(chunk);

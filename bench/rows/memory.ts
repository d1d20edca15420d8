import { peaksOf } from '../memory.js';
import { serviceOf } from '../service.js';
import type { Row } from './row.js';

/** Row 10: measured during all other rows. */
export const memory: Row = {
  code: 'memory',
  what: 'largest memory of all processes of the service during all rows',
  async measure(stage) {
    if (!peaksOf(stage).size) await serviceOf(stage);
    const peaks = [...peaksOf(stage)].sort(([, a], [, b]) => b - a);
    const [row, most] = peaks[0] ?? ['start', 0];
    const work = `${this.what} (${row})`;
    return { findings: [{ work, unit: '', values: [most], valueUnit: 'MiB', target: { below: 800 } }] };
  },
};

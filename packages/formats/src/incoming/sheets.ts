import { ServiceError } from '@cartulary/errors';
import type { EngineJob } from '../engine/engine.js';
import type { Report } from '../engine/orders.js';
import type { FileSource } from '../reading/reading.js';
import type { TableRules } from '../tables/rules.js';
import type { Dataset } from './datasets.js';

/** The sheet of a spreadsheet that is read. */
export function spreadsheetInput({ file, name }: Dataset, job: EngineJob, rules: TableRules): FileSource {
  return { part: { kind: 'cells', rules }, bytes: cellsOf(job, { file, name, rules }) };
}

async function* cellsOf(
  job: EngineJob,
  { file, name, rules }: { file: string; name: string; rules: TableRules },
): AsyncGenerator<Buffer> {
  const report: Report = yield* job.dump({
    kind: 'cells',
    file,
    sheet: rules.sheet,
    rows: rules.limits.rows,
  });
  if (report.failed) {
    throw new ServiceError('import_failed', `'${name.slice(0, 100)}' could not be read: ${report.errors[0]}`);
  }
}

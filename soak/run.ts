import { runKills } from './kill/run.js';
import { runLoad } from './load/run.js';
import { help, readOptions } from './options.js';
import { runRequests } from './requests/run.js';
import { startService } from './service.js';
import { fastSettings, runStyles } from './styles/run.js';

const work = { requests: runRequests, styles: runStyles, kill: runKills, load: runLoad };
/**
 * Settings of the service under test. Generated requests begin more uploads than one user may have open. Exports are
 * expected to be there until the end of a long run.
 */
const settings = {
  requests: { CARTULARY_UPLOADS: '1000', CARTULARY_UPLOAD_TIME: '60' },
  styles: fastSettings,
  kill: { CARTULARY_JOB_FILE_TIME: '604800' },
  load: {},
};

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(help);
    return 0;
  }
  const began = performance.now();
  const service = await startService(options.databaseUrl, settings[options.command]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void service.close().finally(() => process.exit(2)));
  try {
    const faults = await work[options.command](service, options);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`${faults} faults, seed ${options.seed}, ${seconds} s`);
    return faults ? 1 : 0;
  } finally {
    await service.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof RangeError || code.startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? message : error);
  process.exitCode = 2;
}

import type { Config } from '../config.js';

/** Settings of the whole service that the workers divide among them, with the least value of one worker. */
const divided = {
  renderers: 1,
  databaseConnections: 4,
  heavyStatements: 1,
  heavyRequests: 1,
  importsAtOnce: 1,
  exportJobsAtOnce: 1,
  workbooksAtOnce: 1,
  converters: 1,
  imagesAtOnce: 1,
  featureSheetsAtOnce: 1,
  externalAtOnce: 1,
} as const satisfies Partial<Record<keyof Config, number>>;

/** The settings of worker `number` (from 1) of `count`. The first workers take the remainder. */
export function shareOf(config: Config, number: number, count: number): Config {
  const shares = Object.entries(divided).map(([key, least]) => {
    const whole = config[key as keyof typeof divided];
    const share = Math.floor(whole / count) + (number <= whole % count ? 1 : 0);
    return [key, Math.min(whole, Math.max(least, share))];
  });
  return { ...config, ...Object.fromEntries(shares) };
}

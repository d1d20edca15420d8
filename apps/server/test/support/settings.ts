import { existsSync } from 'node:fs';

export const adminPassword = 'correct-horse-battery';

/** The environment variables of a server for tests; `settings` are those that a test gives. */
export const settingsOf = (
  dataFolder: string,
  databaseUrl: string | undefined,
  settings: Record<string, string>,
): Record<string, string> => ({
  PORT: '0',
  CARTULARY_DATA: dataFolder,
  CARTULARY_ADMIN_PASSWORD: adminPassword,
  CARTULARY_DEMO: '0',
  CARTULARY_LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
  CARTULARY_RENDERERS: '1',
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  ...settings,
});

// The shell has no window: it starts with a quarter of the processor time.
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The Chromium of Debian, or that of the environment. It need not exist. */
export const chromiumPath = process.env.CHROMIUM ?? browsers.find((path) => existsSync(path)) ?? browsers[1]!;

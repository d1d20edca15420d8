import { type SettingKey as Key, settingHeadings } from '../administration/settings.js';
import { settings } from '../config.js';

/** The settings of nearly every installation. They come first and are not repeated below. */
const first: readonly Key[] = [
  'host',
  'port',
  'dataFolder',
  'adminPassword',
  'databaseUrl',
  'baseUrl',
  'trustProxy',
  'demo',
  'processes',
  'logLevel',
];

/** The settings as the page docs/settings.md. */
export function settingsPage(): string {
  const sections = settingHeadings.map(([from, heading], i) => {
    const keys = (Object.keys(settings) as Key[]).slice(indexOf(from), indexOf(settingHeadings[i + 1]?.[0]));
    return { heading, keys: keys.filter((key) => !first.includes(key)) };
  });
  return `# Settings

Every setting is an environment variable: \`PORT=9000 npm start\`. The service reads them when it starts; it names a wrong one and does not start.
This page is made from the code: \`npx cartulary settings --markdown\`.

## The ten that matter first

${tableOf(first)}
${sections
  .filter(({ keys }) => keys.length)
  .map(({ heading, keys }) => `\n## ${heading}\n\n${tableOf(keys)}\n`)
  .join('')}`;
}

/** The position of a setting in the table; the end for none. */
const indexOf = (key?: Key): number =>
  key ? Object.keys(settings).indexOf(key) : Object.keys(settings).length;

const tableOf = (keys: readonly Key[]): string =>
  ['| Variable | Default | Unit | Meaning |', '|---|---|---|---|', ...keys.map(rowOf)].join('\n');

function rowOf(key: Key): string {
  const { env, default: initial, unit, meaning } = settings[key];
  const value = typeof initial === 'boolean' ? Number(initial) : initial;
  const shown = key === 'dataFolder' ? './data' : String(value);
  return `| \`${env}\` | ${shown === '' ? '' : `\`${shown}\``} | ${unit} | ${meaning} |`;
}

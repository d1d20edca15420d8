import { type Config, parseConfig, settings } from '../config.js';

export type SettingKey = keyof typeof settings;

/** Headings, each with its first setting in the order of `config.ts`. */
export const settingHeadings: readonly (readonly [from: SettingKey, heading: string])[] = [
  ['host', 'Processes and the database'],
  ['hosts', 'Addresses, proxies and pages of others'],
  ['connections', 'Connections and slow clients'],
  ['cors', 'Programs of other origins'],
  ['sessionIdleS', 'Signing in'],
  ['bodyLimitBytes', 'Sizes of requests'],
  ['importLimitBytes', 'Imports, exports and jobs'],
  ['queryLengthBytes', 'Queries of layers'],
  ['listDefault', 'Lists and objects'],
  ['fileLimitBytes', 'Files and images'],
  ['searchPhrase', 'Search'],
  ['iconLimitBytes', 'Icons'],
  ['renderers', 'Tiles'],
  ['externalHosts', 'External layers'],
  ['featureSheetTimeoutMs', 'Feature sheets (PDF)'],
  ['fontFolder', 'Fonts and styles'],
];

/** Settings whose values nobody is shown. */
const secrets: ReadonlySet<SettingKey> = new Set<SettingKey>(['adminPassword', 'databaseUrl']);

/** A setting in force. */
export interface SettingView {
  /** The environment variable. */
  name: string;
  subject: string;
  /** null: secret. */
  value: string | number | boolean | null;
  default: string | number | boolean;
  unit: string;
  meaning: string;
  isSecret: boolean;
  /** Whether it has another value than the default. */
  isChanged: boolean;
}

/** All settings in force, by subject. */
export function settingViews(config: Config): SettingView[] {
  // The workers of several processes have shares of some settings.
  const whole = config.processes === 1 ? config : parseConfig(process.env);
  const keys = Object.keys(settings) as SettingKey[];
  let subject = '';
  return keys.map((key) => {
    subject = settingHeadings.find(([from]) => from === key)?.[1] ?? subject;
    const { env, default: initial, unit, meaning } = settings[key];
    const value = whole[key];
    // An address may carry a password.
    const isSecret = secrets.has(key) || (typeof value === 'string' && /:\/\/[^/]*@/.test(value));
    return {
      name: env,
      subject,
      value: isSecret ? null : value,
      // The folder of the process is no default for others.
      default: key === 'dataFolder' ? './data' : initial,
      unit,
      meaning,
      isSecret,
      isChanged: value !== initial,
    };
  });
}

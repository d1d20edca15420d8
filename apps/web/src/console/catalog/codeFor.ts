import { latinOf } from '@cartulary/formats/latin';

/** Makes a code from a name: `rayony_goroda` from `Районы города`. */
export const codeFor = (name: string): string =>
  [...name.normalize('NFC').toLowerCase()]
    .map(latinOf)
    .join('')
    .replace(/[^a-z0-9-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 63);

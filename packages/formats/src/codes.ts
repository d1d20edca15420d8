import { latinOf } from './latin.js';

/** Reserved codes: those of the interface, and one property name that a JavaScript object cannot hold safely. */
const reserved = new Set(['svc_id', 'geom', '__proto__']);

/** Longest code of a column. */
const longest = 44;

/**
 * Makes a code for a column of this name that differs from all taken codes: Latin letters, digits and underscore, not
 * starting with a digit, at most 44 characters. Cyrillic and Greek are transliterated, diacritics are dropped (é becomes
 * e). A name without usable characters gives `field_<n>`.
 */
export function columnCodeFor(name: string, n: number, taken: ReadonlySet<string>): string {
  const isFree = (code: string): boolean => !taken.has(code) && !reserved.has(code);
  const code = latin(name).slice(0, longest) || `field_${n}`;
  if (isFree(code)) return code;
  for (let i = 1; ; i++) {
    const numbered = `${code.slice(0, longest - 1 - String(i).length)}_${i}`;
    if (isFree(numbered)) return numbered;
  }
}

function latin(name: string): string {
  if (/^[A-Za-z_]\w{0,43}$/.test(name) && name !== '__proto__') return name;
  // Diacritics go before other characters become underscores, so that they do not divide a word.
  const letters = [...name.slice(0, 1000).normalize('NFC')].map(latinOf).join('');
  const code = letters.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^\d/.test(code) ? `_${code}` : code;
}

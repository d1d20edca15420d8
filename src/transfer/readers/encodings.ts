import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { badRequest, ServiceError } from '../../errors.js';

/** Names that files and people use, beside those that iconv knows. */
const aliases = new Map(
  Object.entries({
    '65001': 'utf-8',
    utf8: 'utf-8',
    'utf-8': 'utf-8',
    unicode: 'utf-8',
    '88591': 'iso-8859-1',
    '88595': 'iso-8859-5',
    windowscyrillic: 'windows-1251',
    windowslatin1: 'windows-1252',
    windowslatin2: 'windows-1250',
    windowsgreek: 'windows-1253',
    windowsturkish: 'windows-1254',
    windowshebrew: 'windows-1255',
    windowsarabic: 'windows-1256',
    windowsbaltic: 'windows-1257',
    windowsjapanese: 'shift_jis',
    windowssimpchinese: 'gbk',
    windowstradchinese: 'big5',
    windowskorean: 'euc-kr',
    dos: 'cp437',
  }),
);

/** An encoding by one of its names or numbers (`1251`, `cp1251`, `ANSI_1251`, `windows-1251`); undefined when it is none. */
export function encodingNamed(name: string): string | undefined {
  const text = name.trim().toLowerCase();
  const known = aliases.get(text);
  if (known) return known;
  const number = /^(?:ansi|oem|ibm|cp|dos|windows|win|ms|codepage|ansi codepage)?[ _:-]*(\d{3,5})$/.exec(
    text,
  )?.[1];
  if (number && /^125\d$/.test(number)) return `windows-${number}`;
  const numbered = number && aliases.get(number);
  if (numbered) return numbered;
  const candidate = number ? `cp${number}` : text;
  return text.length < 30 && /^[\w-]+$/.test(candidate) && isEncoding(candidate) ? candidate : undefined;
}

/** iconv looks its letters and digits up in an object, which has more names than those of encodings. */
const isEncoding = (name: string): boolean =>
  !(name.replace(/[^0-9a-z]/g, '') in Object.prototype) && iconv.encodingExists(name);

/** The encoding of a parameter. Throws 400 naming it. */
export function parseEncoding(name: string): string {
  const encoding = encodingNamed(name);
  if (encoding && !/^(base64|hex|binary|utf-?7.*|utf-?16.*|utf-?32.*|ucs.*)$/.test(encoding)) return encoding;
  throw badRequest(`encoding: '${name.slice(0, 50)}' is not a known encoding of text`, {
    parameters: ['encoding'],
  });
}

/** Texts that UTF-8 and each code page write alike. */
export const isAscii = (bytes: string): boolean => !/[\x80-\xff]/.test(bytes);

/** A character of UTF-8 that the end of a field has cut: its writer counted bytes. */
const cutCharacter = /(?:[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf7][\x80-\xbf]{0,2})$/;

/** Turns bytes, each as a character of its own (latin1), into text. Throws `value_invalid` for what is no text in that encoding. */
export type Decode = (bytes: string) => string;

export function decoderOf(encoding: string): Decode {
  const isUnicode = encoding === 'utf-8';
  return (bytes) => {
    if (isAscii(bytes)) return bytes;
    if (isUnicode) {
      const whole = Buffer.from(bytes, 'latin1');
      if (isUtf8(whole)) return whole.toString();
      const rest = Buffer.from(bytes.replace(cutCharacter, ''), 'latin1');
      if (!isUtf8(rest)) throw notText(encoding);
      return rest.toString();
    }
    const text = iconv.decode(Buffer.from(bytes, 'latin1'), encoding);
    if (text.includes('\ufffd')) throw notText(encoding);
    return text;
  };
}

const notText = (encoding: string): ServiceError =>
  new ServiceError('value_invalid', `a text is not valid in the encoding ${encoding}; give encoding`);

/** Whether texts (bytes as latin1) are UTF-8, apart from characters that were cut at the end. */
export const areUtf8 = (texts: readonly string[]): boolean =>
  texts.every(
    (text) =>
      isUtf8(Buffer.from(text, 'latin1')) || isUtf8(Buffer.from(text.replace(cutCharacter, ''), 'latin1')),
  );

/** What a text is in an encoding, and whether all of it can be said there. */
export function encodable(text: string, encoding: string): { text: string; isWhole: boolean } {
  if (encoding === 'utf-8') return { text, isWhole: true };
  const written = iconv.decode(iconv.encode(text, encoding), encoding);
  return { text: written, isWhole: written === text };
}

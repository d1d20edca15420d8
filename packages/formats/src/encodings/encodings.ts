import { isUtf8 } from 'node:buffer';
import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import iconv from 'iconv-lite';

/** Names of encodings that files and users write, without separators, in addition to those that iconv knows. */
const aliases = new Map(
  Object.entries({
    '65001': 'utf-8',
    utf8: 'utf-8',
    unicode: 'utf-8',
    '932': 'shift_jis',
    '936': 'gbk',
    '949': 'euc-kr',
    '950': 'big5',
    '10000': 'macintosh',
    '10007': 'maccyrillic',
    '10029': 'maccenteuro',
    '20866': 'koi8-r',
    '21866': 'koi8-u',
    latin1: 'iso-8859-1',
    latin2: 'iso-8859-2',
    latin5: 'iso-8859-9',
    latin7: 'iso-8859-13',
    latin9: 'iso-8859-15',
    windowscyrillic: 'windows-1251',
    windowslatin1: 'windows-1252',
    windowslatin2: 'windows-1250',
    windowsgreek: 'windows-1253',
    windowsturkish: 'windows-1254',
    windowshebrew: 'windows-1255',
    windowsarabic: 'windows-1256',
    windowsbalticrim: 'windows-1257',
    windowsbaltic: 'windows-1257',
    windowsvietnamese: 'windows-1258',
    windowsthai: 'windows-874',
    windowsjapanese: 'shift_jis',
    windowssimpchinese: 'gbk',
    windowstradchinese: 'big5',
    windowskorean: 'euc-kr',
    dos: 'cp437',
  }),
);

/**
 * Finds an encoding by a name or number (`1251`, `cp1251`, `ANSI 1251`, `88591`, `UTF8`). Returns undefined for names
 * that are no encoding, such as `OEM` or `system`.
 */
export function encodingNamed(name: string): string | undefined {
  const text = name
    .replace(/^\u00ef\u00bb\u00bf|[\0"']/g, '')
    .trim()
    .toLowerCase();
  const bare = text.replace(/[ _:.-]+/g, '');
  const known = aliases.get(bare);
  if (known) return known;
  const number = /^(?:ansi|oem|ibm|cp|dos|windows|win|ms|codepage|ansicodepage)?(\d{3,5})$/.exec(bare)?.[1];
  if (number && /^125\d$/.test(number)) return `windows-${number}`;
  const ofIso =
    /^(?:iso|iec|isoiec)?8859(1[0-6]?|[2-9])$/.exec(bare) ?? /^285(?:9)([1-9]|1[0-6])$/.exec(bare);
  if (ofIso) return `iso-8859-${ofIso[1]}`;
  const numbered = number && aliases.get(number);
  if (numbered) return numbered;
  const candidate = number ? `cp${number}` : text;
  return text.length < 30 && /^[\w-]+$/.test(candidate) && isEncoding(candidate) ? candidate : undefined;
}

/** iconv looks names up in an object, which also inherits names that are no encodings. */
const isEncoding = (name: string): boolean =>
  !(name.replace(/[^0-9a-z]/g, '') in Object.prototype) && iconv.encodingExists(name);

/**
 * The same for texts that blanks or ASCII signs end, such as those of tables. Encodings of two bytes a character are not among
 * them: a file that names one, as a `.cpg` with `UTF-16` does, says nothing of its texts.
 */
export function textEncodingNamed(name: string): string | undefined {
  const encoding = encodingNamed(name);
  const isOfText = encoding && !/^(base64|hex|binary|utf-?7.*|utf-?16.*|utf-?32.*|ucs.*)$/.test(encoding);
  return isOfText ? encoding : undefined;
}

/** The encoding of a request parameter. Throws 400 that names the parameter. */
export function parseEncoding(name: string): string {
  const encoding = textEncodingNamed(name);
  if (encoding) return encoding;
  throw badRequest(`encoding: '${name.slice(0, 50)}' is not a known encoding of text`, {
    parameters: ['encoding'],
  });
}

/** Texts that have the same bytes in UTF-8 and in each code page. */
export const isAscii = (bytes: string): boolean => !/[\x80-\xff]/.test(bytes);

/** The beginning of a UTF-8 character that was cut at the end of a field, because the writer counted bytes. */
const cutCharacter = /(?:[\xc0-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf7][\x80-\xbf]{0,2})$/;

/** Decodes bytes, given as latin1, to text. Throws `value_invalid` for bytes that are invalid in the encoding. */
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
  new ServiceError('value_invalid', noteOf('textNotInEncoding', { encoding }));

/** Whether texts (bytes as latin1) are valid UTF-8, apart from characters that are cut at the end of some of them. */
export function areUtf8(texts: readonly string[]): boolean {
  const cut = texts.filter((text) => !isUtf8(Buffer.from(text, 'latin1')));
  // A letter of a code page at the end looks like a cut character, so other characters must be complete.
  return (
    cut.length <= texts.filter((text) => !isAscii(text)).length / 2 &&
    cut.every((text) => isUtf8(Buffer.from(text.replace(cutCharacter, ''), 'latin1')))
  );
}

/** A text in an encoding, and whether the encoding has all its characters. */
export function encodable(text: string, encoding: string): { text: string; isWhole: boolean } {
  if (encoding === 'utf-8') return { text, isWhole: true };
  const written = iconv.decode(iconv.encode(text, encoding), encoding);
  return { text: written, isWhole: written === text };
}

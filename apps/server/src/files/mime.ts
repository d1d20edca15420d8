/** Number of first bytes that the media type is read from. */
export const mimeHeadBytes = 8_192;

/**
 * The media type of a content by its first bytes (up to `mimeHeadBytes`), with the charset of a UTF-8 text.
 * The name only distinguishes types that share a signature (`.docx` among zip archives, `.csv` among texts).
 * It never turns a content into a type that a browser executes.
 */
export function mediaType(head: Buffer, name: string): string {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const magic = signatures.find(({ at = 0, bytes }) => head.subarray(at, at + bytes.length).equals(bytes));
  if (magic) return refine(magic.mime, head, extension);
  const text = textOf(head);
  if (text === undefined) return 'application/octet-stream';
  return markupType(text.content) ?? textType(text, extension);
}

interface Signature {
  /** Offset of the bytes. */
  at?: number;
  bytes: Buffer;
  mime: string;
}

const signature = (bytes: string, mime: string, at = 0): Signature => ({
  at,
  bytes: Buffer.from(bytes, 'latin1'),
  mime,
});

/** First bytes by type: https://mimesniff.spec.whatwg.org/ and the formats' own descriptions. */
const signatures: readonly Signature[] = [
  signature('\x89PNG\r\n\x1a\n', 'image/png'),
  signature('\xff\xd8\xff', 'image/jpeg'),
  signature('GIF87a', 'image/gif'),
  signature('GIF89a', 'image/gif'),
  signature('II*\0', 'image/tiff'),
  signature('MM\0*', 'image/tiff'),
  signature('II+\0', 'image/tiff'),
  signature('MM\0+', 'image/tiff'),
  signature('BM', 'image/bmp'),
  signature('\0\0\x01\0', 'image/x-icon'),
  signature('\0\0\0\x0cjP  ', 'image/jp2'),
  signature('%PDF-', 'application/pdf'),
  signature('RIFF', 'riff'),
  signature('ftyp', 'ftyp', 4),
  signature('PK\x03\x04', 'application/zip'),
  signature('PK\x05\x06', 'application/zip'),
  signature('\x1f\x8b', 'application/gzip'),
  signature('7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'),
  signature('Rar!\x1a\x07', 'application/vnd.rar'),
  signature('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'),
  signature('SQLite format 3\0', 'application/vnd.sqlite3'),
  signature('\x1a\x45\xdf\xa3', 'video/webm'),
  signature('OggS', 'audio/ogg'),
  signature('fLaC', 'audio/flac'),
  signature('ID3', 'audio/mpeg'),
  signature('\xff\xfb', 'audio/mpeg'),
  signature('\xff\xf3', 'audio/mpeg'),
  signature('\xff\xf2', 'audio/mpeg'),
];

const riff: Readonly<Record<string, string>> = {
  WEBP: 'image/webp',
  WAVE: 'audio/wav',
  'AVI ': 'video/x-msvideo',
};

/** Types of the ISO base media format, by brand. */
const brands: readonly [RegExp, string][] = [
  [/^avi[fs]$/, 'image/avif'],
  [/^(hei[cxms]|hev[cxms]|mif1|msf1)$/, 'image/heic'],
  [/^qt {2}$/, 'video/quicktime'],
  [/^M4[AB] $/, 'audio/mp4'],
];

/** Types inside an archive or another container, by extension. */
const contained: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    odt: 'application/vnd.oasis.opendocument.text',
    ods: 'application/vnd.oasis.opendocument.spreadsheet',
    odp: 'application/vnd.oasis.opendocument.presentation',
    epub: 'application/epub+zip',
    kmz: 'application/vnd.google-earth.kmz',
  },
  'application/x-ole-storage': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
  },
  'application/vnd.sqlite3': { gpkg: 'application/geopackage+sqlite3' },
  'audio/ogg': { ogv: 'video/ogg' },
  'video/webm': { mkv: 'video/matroska' },
};

function refine(mime: string, head: Buffer, extension: string): string {
  if (mime === 'riff') return riff[head.toString('latin1', 8, 12)] ?? 'application/octet-stream';
  if (mime === 'ftyp') {
    const brand = head.toString('latin1', 8, 12);
    return brands.find(([form]) => form.test(brand))?.[1] ?? 'video/mp4';
  }
  // Many texts begin with these two letters. In a bitmap the reserved fields are zero.
  if (mime === 'image/bmp' && (head.length < 10 || head.readUInt32LE(6) !== 0))
    return textType(textOf(head), extension);
  const own = contained[mime];
  return own && Object.hasOwn(own, extension) ? own[extension]! : mime;
}

interface Text {
  content: string;
  /** Whether the bytes so far are UTF-8. */
  isUtf8: boolean;
}

/** The bytes as text; undefined for binary content. */
function textOf(head: Buffer): Text | undefined {
  if (/^(\xff\xfe|\xfe\xff)/.test(head.toString('latin1', 0, 2))) {
    return {
      content: new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(head),
      isUtf8: false,
    };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text holds
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return undefined;
  try {
    // In stream mode, since the last character may be cut.
    const content = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return { content, isUtf8: true };
  } catch {
    return { content: head.toString('latin1'), isUtf8: false };
  }
}

/** The patterns by which browsers recognize HTML: MIME Sniffing Standard, section 7.1. */
const html =
  /^\s*(<!--|<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>])/i;

function markupType(text: string): string | undefined {
  if (html.test(text)) return 'text/html';
  if (!/^\s*<([?!]|[a-z])/i.test(text)) return undefined;
  if (/<(\w+:)?svg[\s>]/i.test(text)) return 'image/svg+xml';
  if (/<(\w+:)?html[\s>]/i.test(text)) return 'application/xhtml+xml';
  if (/<kml[\s>]/.test(text)) return 'application/vnd.google-earth.kml+xml';
  if (/<gpx[\s>]/.test(text)) return 'application/gpx+xml';
  return /^\s*<\?xml[\s]/.test(text) ? 'application/xml' : undefined;
}

/** Text types by extension. Scripts and style sheets are left out, so that no page can load one from here. */
const texts: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  json: 'application/json',
  geojson: 'application/geo+json',
};

function textType(text: Text | undefined, extension: string): string {
  if (!text) return 'application/octet-stream';
  const mime = Object.hasOwn(texts, extension) ? texts[extension]! : 'text/plain';
  return text.isUtf8 && mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime;
}

/** A media type without its parameters. */
export const essence = (mime: string): string => mime.split(';')[0]!;

const inline = /^(image\/(png|jpeg|gif|webp|avif|tiff|bmp)|audio\/|video\/|text\/plain\b|application\/pdf$)/;

/**
 * Whether a browser may show a content in its window. Types that it could execute, or pass to another
 * program, are downloaded instead.
 */
export const isShown = (mime: string): boolean => inline.test(mime);

import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';

/** The format of a file by its content. */
export type Kind =
  | 'geojson'
  | 'kml'
  | 'gpx'
  | 'dxf'
  | 'mif'
  | 'tab'
  | 'shp'
  | 'dbf'
  | 'gpkg'
  | 'fgb'
  | 'parquet'
  | 'zip'
  | 'csv'
  | 'sxf'
  | 'xls'
  | 'xlsx';

/** Number of bytes that recognition needs. */
export const recognizeHeadBytes = 16_384;

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

const starts = (bytes: Buffer, text: string): boolean => bytes.toString('latin1', 0, text.length) === text;

const isImage = (what: string): string =>
  `The file is an image (${what}): it goes into a layer of the type raster`;

/** Position of the signature of a tar archive (POSIX.1-1988, "ustar"). */
const tarMark = 257;

/** Signatures of unsupported formats, with advice for each. */
const refused: readonly [start: string, message: string][] = [
  ['Rar!', 'This is a RAR archive: send a zip archive'],
  ['7z\xbc\xaf\x27\x1c', 'This is a 7z archive: send a zip archive'],
  ['BZh', 'This is packed with bzip2: send it in a zip archive'],
  ['\xfd7zXZ\0', 'This is packed with xz: send it in a zip archive'],
  ['AC10', 'This is a DWG drawing: save it as DXF'],
  ['AutoCAD Binary DXF', 'Binary DXF is not read: save it as text'],
  ['II*\0', isImage('geotif')],
  ['MM\0*', isImage('geotif')],
  ['II+\0', isImage('geotif')],
  ['\x89PNG', isImage('png')],
  ['\xff\xd8\xff', isImage('jpg')],
  ['.SXF', 'This is SXF as text: save it in the binary form'],
  ['\0\0\0\x0cjP', isImage('JPEG 2000: save it as geotif')],
  ['%PDF', 'This is a PDF document, which holds no objects to import'],
];

/** The first file of a zip archive with this name names the type of the whole (OpenDocument 1.3, part 2, 3.3). */
const openDocument = 'mimetypeapplication/vnd.oasis.opendocument';
/** Size of what precedes the name of a file in a zip archive. */
const zipNameAt = 30;

/**
 * The format of a file by its first bytes; undefined if they do not identify it, so that the name decides. Throws
 * `import_failed` for a known but unsupported format.
 */
export function recognize(head: Buffer): Kind | undefined {
  if (starts(head, 'PK') && starts(head.subarray(zipNameAt), openDocument))
    throw failed('This is an OpenDocument file: save a spreadsheet as xlsx or csv');
  if (starts(head, 'PK\x03\x04') || starts(head, 'PK\x05\x06')) return 'zip';
  // The kind of an OLE2 file (xls, doc, msg …) may stand anywhere in it, so the spreadsheet reader checks it.
  if (starts(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'xls';
  if (starts(head, 'fgb\x03fgb')) return 'fgb';
  if (starts(head, 'PAR1')) return 'parquet';
  if (starts(head, 'SXF\0')) return 'sxf';
  // The application id in the header of a GeoPackage is often absent; its tables identify it.
  if (starts(head, 'SQLite format 3\0')) return 'gpkg';
  if (head.length >= 100 && head.readUInt32BE(0) === 9994 && head.readUInt32LE(28) === 1000) return 'shp';
  if (isDbf(head)) return 'dbf';
  if (head.toString('latin1', tarMark, tarMark + 5) === 'ustar')
    throw failed('This is a tar archive: send a zip archive');
  const known = refused.find(([start]) => starts(head, start));
  if (known) throw failed(known[1]);
  return textKind(textOf(head));
}

/** First bytes of tables of dBase III to V and FoxPro, with and without memos. */
const dbfVersions: ReadonlySet<number> = new Set([
  0x03, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0x8e, 0xcb, 0xf5, 0xfb,
]);

/**
 * Whether the header of a table is whole, and it has columns, all with a known type and a length, since the first byte alone may
 * begin a text. Where it names no known version, the columns have to fill the record.
 */
function isDbf(head: Buffer): boolean {
  if (head.length < 33) return false;
  const [size, recordSize] = [head.readUInt16LE(8), head.readUInt16LE(10)];
  if (size <= 32 || recordSize === 0 || (size > head.length && head.length < recognizeHeadBytes))
    return false;
  const end = Math.min(size, head.length);
  let width = 1;
  for (let at = 32; at + 32 <= end && head[at] !== 0x0d; at += 32) {
    const type = String.fromCharCode(head[at + 11]!);
    const isColumn = 'CNFDLMIBYTGPVQWO0@+'.includes(type) && head[at + 16]! > 0;
    if (!isColumn || head[at] === 0) return false;
    width += head[at + 16]!;
  }
  return width > 1 && (dbfVersions.has(head[0]!) || width === recordSize);
}

function textOf(head: Buffer): string {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  // Removes the zeros of UTF-16: the relevant words are ASCII.
  const text = head.toString('latin1').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return (isWide ? text.replaceAll('\0', '') : text).trimStart();
}

/** Includes text sequences (RFC 8142), which begin with a record separator. */
const isJson = (text: string): boolean => ['{', '[', '\u001e'].includes(text[0] ?? '');

/** Whether these first bytes identify JSON, so that recognition need not wait for more. */
export const beginsAsJson = (head: Buffer): boolean => isJson(textOf(head));

function textKind(text: string): Kind | undefined {
  if (isJson(text)) return 'geojson';
  if (text.startsWith('<')) return xmlKind(text);
  if (/^version\s+"?\d+/i.test(text) && /\b(?:charset|delimiter|coordsys|columns)\b/i.test(text))
    return 'mif';
  if (/^!table\b/i.test(text)) return 'tab';
  if (/^(?:999[ \t]*\r?\n.*\r?\n[ \t]*)*0[ \t]*\r?\n[ \t]*SECTION\b/i.test(text)) return 'dxf';
  return undefined;
}

function xmlKind(text: string): Kind {
  if (/^\s*<(?:!DOCTYPE\s+)?html\b/i.test(withoutProlog(text))) throw failed(noteOf('webPage'));
  // A document type is refused, since its entities allow attacks.
  if (/<!DOCTYPE/i.test(text)) {
    throw failed('XML with a document type declaration (DOCTYPE) is not imported');
  }
  const root = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(withoutProlog(text))?.[1];
  if (root === 'kml' || root === 'gpx') return root;
  throw failed(`XML with the root element '${(root ?? '').slice(0, 50)}' is not imported; KML and GPX are`);
}

/** The text after the declaration, instructions and comments. */
function withoutProlog(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (!end) return rest;
    const at = rest.indexOf(end);
    if (at === -1) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}
